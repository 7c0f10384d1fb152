"""Passes over hundreds of thousands of gates, in C++, shipped as LLVM bitcode."""
