"""Games for agents by the Model Context Protocol; tables and computations run in processes of their own."""
