"""Documents as USD: a layer of text, which usd-core packs where a binary file is wanted."""
