"""From a work's record to the article's own files, as far as licences allow."""
