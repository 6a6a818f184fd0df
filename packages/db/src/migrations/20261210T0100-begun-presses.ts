/** A press whose act goes out of the database says that it was begun: taken up again, it is not refused for its own act. */
export const statements: readonly string[] = [
  `alter table channel_deliveries add column act_began_at timestamptz(3)`,
]
