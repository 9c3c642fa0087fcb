//! Reading foreign JSON with a path in hand.
