"""Games for other libraries, and games of other libraries for ludens; each module needs an extra (docs/adapters.md)."""
