/**
 * Tells that a row changed which a page may show, by ids alone: kind, project and id. A trigger does it, so that no writer
 * forgets. The log of a session has a notice of its own.
 */
const tell = `create function tell_change() returns trigger language plpgsql as $$
  declare
    told jsonb := to_jsonb(new);
  begin
    perform pg_notify('svc_change', json_build_object(
      'kind', case tg_argv[0] when 'ask' then told ->> 'kind' else tg_argv[0] end,
      'project_id', told ->> 'project_id',
      'id', told ->> tg_argv[1])::text);
    return null;
  end
$$`

const tellRemoval = `create function tell_removal() returns trigger language plpgsql as $$
  begin
    perform pg_notify('svc_change', json_build_object(
      'kind', tg_argv[0], 'project_id', old.project_id, 'id', old.project_id)::text);
    return null;
  end
$$`

/** A prompt does not know its project; what the list of sessions says of it may change. */
const tellPrompt = `create function tell_prompt() returns trigger language plpgsql as $$
  begin
    perform pg_notify('svc_change', json_build_object(
      'kind', 'session', 'project_id', project_id, 'id', session_id)::text)
    from project_sessions where session_id = new.session_id;
    return null;
  end
$$`

const told = (table: string, kind: string, id: string, when: string) => [
  `create trigger ${table}_told after insert on ${table} for each row execute function tell_change('${kind}', '${id}')`,
  `create trigger ${table}_retold after update on ${table} for each row when (${when})
    execute function tell_change('${kind}', '${id}')`,
]

export const statements: readonly string[] = [
  tell,
  tellRemoval,
  tellPrompt,
  ...told(
    'project_sessions',
    'session',
    'session_id',
    'old.shown_revision is distinct from new.shown_revision or old.deleted_at is distinct from new.deleted_at',
  ),
  ...told('session_asks', 'ask', 'session_id', 'old.state is distinct from new.state'),
  ...told('change_requests', 'change_request', 'cr_id', 'old.* is distinct from new.*'),
  ...told('trigger_fires', 'trigger', 'slug', 'old.status is distinct from new.status'),
  ...told(
    'trigger_catalogues',
    'manifest',
    'project_id',
    'old.source is distinct from new.source or old.paused is distinct from new.paused or old.manifest is distinct from new.manifest',
  ),
  ...told('project_secrets', 'secret', 'project_id', 'old.updated_at is distinct from new.updated_at'),
  ...told('projects', 'project', 'project_id', 'old.* is distinct from new.*'),
  `create trigger project_secrets_removed after delete on project_secrets for each row
    execute function tell_removal('secret')`,
  `create trigger session_prompts_told after insert on session_prompts for each row execute function tell_prompt()`,
  `create trigger session_prompts_retold after update on session_prompts for each row
    when (old.state is distinct from new.state) execute function tell_prompt()`,
]
