"""The chapter of a trial without a gold standard, once some of its sentences are annotated."""

from commonground.report.page.disagreement import chapter

__all__ = ["chapter"]
