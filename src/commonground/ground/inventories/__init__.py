"""Function tags of constituents as relations of the hub: one TOML file for each treebank."""
