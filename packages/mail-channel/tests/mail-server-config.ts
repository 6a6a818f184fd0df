export interface Ports {
  readonly smtp: number
  /** Of the worker, to which mails of channels go. */
  readonly lmtp: number
  readonly imap: number
  /** By which Postfix hands mails over to the mailboxes. */
  readonly boxes: number
}

/** A border server that says by the sender of the envelope whether a mail is from where it says. */
export function postfixConfig(folder: string, { smtp, lmtp, boxes }: Ports): Record<string, string> {
  const main = {
    ...{ compatibility_level: '3.6', myhostname: 'mx.example.net', mydestination: '', alias_maps: '' },
    ...{ queue_directory: `${folder}/spool`, data_directory: `${folder}/data` },
    ...{ daemon_directory: '/usr/lib/postfix/sbin', command_directory: '/usr/sbin' },
    ...{ inet_interfaces: '127.0.0.1', inet_protocols: 'ipv4', smtp_dns_support_level: 'disabled' },
    ...{ mynetworks: '', relay_domains: 'agents.example.net boxes.example.net', recipient_delimiter: '+' },
    transport_maps: `inline:{ {agents.example.net=lmtp:inet:[127.0.0.1]:${lmtp}} {boxes.example.net=lmtp:inet:[127.0.0.1]:${boxes}} }`,
    ...{ smtpd_relay_restrictions: 'reject_unauth_destination', smtpd_delay_reject: 'yes' },
    smtpd_sender_restrictions: `check_sender_access regexp:${folder}/postfix/verdicts`,
    ...{ minimal_backoff_time: '1s', maximal_backoff_time: '1s', queue_run_delay: '1s' },
    ...{ maillog_file: `${folder}/mail.log`, maillog_file_prefixes: '/srv', header_size_limit: '102400' },
  }
  const services = [
    `127.0.0.1:${smtp} inet n - n - - smtpd`,
    ...[
      'cleanup unix n - n - 0 cleanup',
      'qmgr unix n - n 1 1 qmgr',
      'rewrite unix - - n - - trivial-rewrite',
    ],
    ...['bounce', 'defer', 'trace'].map((name) => `${name} unix - - n - 0 bounce`),
    ...['proxymap unix - - n - - proxymap', 'lmtp unix - - n - - lmtp', 'smtp unix - - n - - smtp'],
    ...['error unix - - n - - error', 'retry unix - - n - - error', 'anvil unix - - n - 1 anvil'],
    ...[
      'scache unix - - n - 1 scache',
      'tlsmgr unix - - n 1000? 1 tlsmgr',
      'postlog unix-dgram n - n - 1 postlogd',
    ],
  ]
  const own = 'Authentication-Results: mx.example.net'
  const verdicts = [
    `/@(example\\.org)$/ PREPEND ${own}; spf=pass smtp.mailfrom=$1; dmarc=pass header.from=$1`,
    `/@(.+)$/ PREPEND ${own}; spf=pass smtp.mailfrom=$1; dmarc=fail`,
  ]
  return {
    'postfix/main.cf': Object.entries(main)
      .map(([name, value]) => `${name} = ${value}\n`)
      .join(''),
    'postfix/master.cf': `${services.join('\n')}\n`,
    'postfix/verdicts': `${verdicts.join('\n')}\n`,
  }
}

/** A mailbox for each name, all with one password. */
export function dovecotConfig(folder: string, { imap, boxes }: Ports): Record<string, string> {
  const lines = [
    ...[`base_dir = ${folder}/run`, `log_path = ${folder}/dovecot.log`, 'protocols = imap lmtp', 'ssl = no'],
    ...['listen = 127.0.0.1', 'disable_plaintext_auth = no', `mail_location = maildir:${folder}/mail/%n`],
    ...['default_internal_user = dovecot', 'default_login_user = dovenull', 'recipient_delimiter = +'],
    ...[
      'auth_username_format = %n',
      'first_valid_uid = 1000',
      'postmaster_address = postmaster@boxes.example.net',
    ],
    'passdb {\n  driver = static\n  args = password=secret\n}',
    `userdb {\n  driver = static\n  args = uid=vmail gid=vmail home=${folder}/mail/%n allow_all_users=yes\n}`,
    `service imap-login {\n  inet_listener imap {\n    port = ${imap}\n  }\n  inet_listener imaps {\n    port = 0\n  }\n}`,
    `service lmtp {\n  inet_listener lmtp {\n    address = 127.0.0.1\n    port = ${boxes}\n  }\n}`,
  ]
  return { 'dovecot.conf': `${lines.join('\n')}\n` }
}
