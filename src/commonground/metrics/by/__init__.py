"""What scores can be broken down by: properties of items, a module for each, found by itself.

To add one, write a module here with ``PROPERTIES``; the command, the tables and the library know it
then.
"""

from commonground.metrics.by.registry import (
    has_property,
    names_of,
    order_of,
    properties_of,
    property_name,
    property_names,
    property_of,
    property_title,
    shared_by_sentence,
)

__all__ = [
    "has_property",
    "names_of",
    "order_of",
    "properties_of",
    "property_name",
    "property_names",
    "property_of",
    "property_title",
    "shared_by_sentence",
]
