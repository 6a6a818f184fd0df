/** Calls in Google's form are a dialect beside the others. Existing rows were held to a shorter list and need no check. */
export const statements: readonly string[] = [
  'alter table gateway_calls drop constraint gateway_calls_dialect_check',
  `alter table gateway_calls add constraint gateway_calls_dialect_check
    check (dialect in ('chat', 'responses', 'messages', 'generate_content', 'embeddings')) not valid`,
]
