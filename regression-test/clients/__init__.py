# SPDX-License-Identifier: Apache-2.0
"""One checklist through many client drivers."""
