/**
 * The work that a sandbox is owed stands in its row, written by the statement that stops or deletes the session, whichever
 * build sends it. A sandbox that was deleted is owed its removal, one that was stopped the end of its processes.
 */
export const statements: readonly string[] = [
  `alter table session_sandboxes add column owed text, add column checked_at timestamptz(3)`,
  `alter table session_sandboxes add constraint session_sandboxes_owed_check
    check (owed in ('stop', 'destroy')) not valid`,
  `create function owe_sandbox() returns trigger language plpgsql as $$
    begin
      if new.deleted_at is not null then
        update session_sandboxes set owed = 'destroy', updated_at = new.updated_at
          where session_id = new.session_id and status <> 'archived';
      elsif new.status in ('stopped', 'failed') then
        update session_sandboxes set owed = 'stop', updated_at = new.updated_at
          where session_id = new.session_id and (status in ('provisioning', 'active') or retired <> '{}');
      else
        update session_sandboxes set owed = null where session_id = new.session_id and owed is not null;
      end if;
      return null;
    end $$`,
  `create trigger project_sessions_owe_sandbox after update of status, deleted_at on project_sessions
    for each row when (old.status <> new.status or old.deleted_at is distinct from new.deleted_at)
    execute function owe_sandbox()`,
]
