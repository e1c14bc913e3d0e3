"""The rig of a face: shapes, sliders, in-betweens, combinations, rules, names, edits and evaluation."""
