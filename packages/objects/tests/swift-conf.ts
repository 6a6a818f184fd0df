/** Of a server of one of the three kinds, with its files below the folder. */
export const serverConf = (inside: string, role: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${inside}
devices = ${inside}/node
mount_check = false
[pipeline:main]
pipeline = ${role}-server
[app:${role}-server]
use = egg:swift#${role}
`

/** Of the proxy, which speaks S3’s protocol and knows one user. */
export const proxyConf = (inside: string, port: number, cache: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = root
swift_dir = ${inside}
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
# A machine that is busy is slow, and its one server of each kind is not given up for it.
error_suppression_limit = 1000000
conn_timeout = 20
node_timeout = 60
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:tempauth]
use = egg:swift#tempauth
user_acme_tests = secret .admin
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
${['catch_errors', 'gatekeeper', 'listing_formats', 'bulk', 'copy', 'slo'].map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`).join('')}`
