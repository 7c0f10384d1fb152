"""Passes over hundreds of thousands of gates, written in C, shipped as LLVM bitcode and compiled when imported."""
