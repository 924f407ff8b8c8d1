"""What programs do with what a page says: numbers, dates, choices and texts. `transforms` hands it to them."""
