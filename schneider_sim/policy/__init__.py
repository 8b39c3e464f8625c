"""What a policy may say: the grammar of its text, and preferences that users write themselves."""
