"""Games for other libraries, and other libraries' games for ludens; each module needs an extra (docs/adapters.md)."""
