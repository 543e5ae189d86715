# SPDX-License-Identifier: Apache-2.0
"""Look-ups by key against MariaDB: README.md of the folder above."""
