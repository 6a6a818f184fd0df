/** The stable code of a refusal that ended a fire. */
export const statements: readonly string[] = [`alter table trigger_fires add column code text`]
