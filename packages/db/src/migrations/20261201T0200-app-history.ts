/** Apps in the events of the platform, and objects of releases that no row names. */
const ofApp = `create function record_app_event() returns trigger
  language plpgsql security definer set search_path from current as $$
  declare
    a apps;
    c app_channels;
    r app_releases;
  begin
    select * into a from apps where app_id = new.app_id;
    select * into r from app_releases where release_id = (new.data ->> 'release_id')::uuid;
    if r.release_id is null then
      select * into c from app_channels where app_id = new.app_id and kind = 'production';
      select * into r from app_releases where release_id = c.current_release_id;
    else
      select * into c from app_channels where channel_id = r.channel_id;
    end if;
    -- A preview is for those who look at its change request.
    if c.kind = 'preview' then return null; end if;
    perform record_platform_event(a.account_id, a.project_id, null, new.type,
      jsonb_build_object('app', a.name, 'number', r.number, 'commit_sha', r.commit_sha, 'url', c.label,
        'failure_category', r.failure ->> 'category'));
    return null;
  end
$$`

export const statements: readonly string[] = [
  ofApp,
  `create trigger app_events_event after insert on app_events for each row
    when (new.type in ('app.switched', 'app.release.failed', 'app.stopped')) execute function record_app_event()`,
  `create table app_unnamed_objects (
    sha256 text primary key,
    since timestamptz(3) not null
  )`,
  `create index app_unnamed_objects_since on app_unnamed_objects (since)`,
]
