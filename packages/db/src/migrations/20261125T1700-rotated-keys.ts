/** A key that took the place of another says of which. */
export const statements: readonly string[] = [`alter table tokens add column rotated_from uuid`]
