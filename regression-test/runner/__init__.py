# SPDX-License-Identifier: Apache-2.0
"""Runs SQL suites against a real cluster on loopback ports."""
