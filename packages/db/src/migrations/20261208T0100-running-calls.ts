/**
 * The calls of connectors that run in a project, for whoever is about to add one: until their transaction ends, nobody else adds one. What
 * the ones before added is counted, since each statement of a volatile function sees what was committed by then.
 */
export const statements: readonly string[] = [
  `create function running_connector_calls(asked uuid) returns bigint
    language plpgsql volatile set search_path from current as $$
  begin
    perform pg_advisory_xact_lock(hashtextextended('connector-calls:' || asked, 0));
    return (select count(*) from connector_calls where project_id = asked and status = 'executing');
  end $$`,
]
