/** Columns that are shown of each table; those that change with every event of a session are not among them. */
const shown = {
  project_sessions: [
    ...['session_id', 'account_id', 'project_id', 'branch_name', 'base_ref', 'status', 'failure'],
    ...['stop_reason', 'agent_name', 'model', 'name', 'metadata', 'origin', 'origin_ref', 'labels'],
    ...['parent_session_id', 'visibility', 'created_by', 'created_at', 'updated_at', 'started_at'],
    ...['stopped_at', 'deleted_at'],
  ],
  session_sandboxes: ['session_id', 'provider', 'external_id', 'runtime_session_id', 'status', 'error'],
}

const row = (version: 'old' | 'new', columns: readonly string[]): string =>
  `(${columns.map((column) => `${version}.${column}`).join(', ')})`

/** Each version of a session's rows has a number of its own, so that a page of them is told from another by its numbers. */
export const statements: readonly string[] = [
  `create sequence shown_revisions`,
  `create function take_shown_revision() returns trigger language plpgsql as $$
    begin
      new.shown_revision := nextval('shown_revisions');
      return new;
    end
  $$`,
  ...Object.entries(shown).flatMap(([table, columns]) => [
    `alter table ${table} add column shown_revision bigint not null default nextval('shown_revisions')`,
    `create trigger ${table}_shown_revision before update on ${table} for each row
      when (row${row('old', columns)} is distinct from row${row('new', columns)})
      execute function take_shown_revision()`,
  ]),
]
