# SPDX-License-Identifier: Apache-2.0
"""Benchmarks against peers, measured in one run."""
