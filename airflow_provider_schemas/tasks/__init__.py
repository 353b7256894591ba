"""What all tasks of ours share: who asks, what is asked, how an error ends a task, and what is said of it. Operators and sensors speak through it."""
