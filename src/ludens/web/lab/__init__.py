"""The Lab: rule sheets that anybody writes in the browser, checked, drawn, taken apart and played within limits."""
