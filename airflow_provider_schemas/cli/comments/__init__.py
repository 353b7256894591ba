"""The comment on a pull request: one comment, which each run replaces. The GitHub action and the GitLab template start it.

__main__    read the file, find the host, write the comment, say what became of it
host        what a comment is, and what a host answers
github      a pull request of GitHub, by GraphQL
gitlab      a merge request of GitLab, by REST
request     one request with a token
"""
