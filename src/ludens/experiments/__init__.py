"""Experiments of the papers and the baselines they compare with: ``ludens experiment``."""
