"""Problems, losses and solutions."""
