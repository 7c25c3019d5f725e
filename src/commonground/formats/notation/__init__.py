"""Notation that several formats share: brackets, CoNLL columns, XML, relations."""
