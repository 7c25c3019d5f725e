"""Systems that are not trained here: pretrained pipelines, model files of others, commands."""
