/** The point up to which the audit log of an account was pruned: from there on its chain is whole. */
export const statements: readonly string[] = [
  `create table audit_anchors (
    account_id uuid primary key references accounts on delete cascade,
    seq bigint not null check (seq > 0),
    hash text not null,
    at timestamptz(3) not null
  )`,
  // An anchor is an event of the chain; moving it is the one way in which events go.
  `create function check_audit_anchor() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and (new.account_id <> old.account_id or new.seq <= old.seq) then
        raise exception 'an audit anchor moves forward only';
      end if;
      if not exists (
        select from audit_events
        where account_id = new.account_id and seq = new.seq and hash = new.hash and at = new.at
      ) then
        raise exception 'an audit anchor is an event of the chain';
      end if;
      return new;
    end
  $$`,
  `create trigger audit_anchors_check before insert or update on audit_anchors
    for each row execute function check_audit_anchor()`,
  `create function prune_audit_events() returns trigger language plpgsql as $$
    begin
      delete from audit_events where account_id = new.account_id and seq <= new.seq;
      return null;
    end
  $$`,
  `create trigger audit_anchors_prune after insert or update on audit_anchors
    for each row execute function prune_audit_events()`,
  `create trigger audit_anchors_no_delete before delete on audit_anchors
    for each row when (pg_trigger_depth() = 0) execute function audit_events_are_final()`,
  `create index secret_accesses_at on secret_accesses (at)`,
]
