"""What the report's numbers mean, one line each."""

MATRIX = (
    "Interference: the cosine between the motions of two sliders at full value. +1: both do the same; −1: one undoes "
    "the other; 0: they do not meet, or move the same points across each other. Sliders stand by group and likeness."
)
PAIRS = (
    "The pairs an animator will fight with first. Colour on a slider: how far each point goes. Where they meet: warm "
    "where both push the same way, cold where they push against each other. Exclusive pairs are left out."
)
ASYMMETRIC = (
    "A shape's mirror image against its partner. Difference: as a share of the shape. Furthest: the largest at one "
    "point, as a share of the face's size. Ratio: how far one goes for each unit of the other."
)
DEPENDENT = "Shapes that a sum of others nearly makes. Rest: what the sum leaves, as a share of the shape."
DUPLICATE = "Shapes that are another one, up to a factor."
DEAD = "Shapes that move no point by a millionth of the face's size."
RULES = "Poses within the bounds that break a rule. Distances: as a share of the face's size."
SHAPES = (
    "Reach: how far the furthest point goes, as a share of the face's size. Support: share of the points that go at "
    "least a hundredth as far. Own: what no sum of all other shapes can do, as a share of the shape. Strongest with: "
    "the slider it interferes with most. Carried by: the slider that moves this one's points furthest, as a multiple "
    "of its own motion. A click on a column's head sorts."
)
FORMULAE = (
    "With a and b the motions of the vertices when one slider or the other goes alone to its full value: "
    "shared = Σ|a||b| / (‖a‖‖b‖), direction = Σ a·b / Σ|a||b|, interference = shared × direction = Σ a·b / (‖a‖‖b‖), "
    "carried = √(Σ|a|²|b|² / Σ|a|⁴): how far b moves what a moves, relative to a itself. Sums go over all vertices. No "
    "number on this page depends on the scene's unit, except the size on top."
)
