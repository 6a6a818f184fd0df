/** The verdict on the manifest of each default branch, as its last look found it; null until the next look. */
export const statements: readonly string[] = [`alter table trigger_catalogues add column manifest jsonb`]
