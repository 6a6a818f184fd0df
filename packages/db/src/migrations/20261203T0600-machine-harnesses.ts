/** The harnesses that the sandboxes of a machine may have, by its providers in their order; null where its worker did not say. */
export const statements: readonly string[] = [`alter table machines add column harnesses jsonb`]
