# shellcheck shell=bash
# What stacks whose programs are in images share. Source postgres.bash first.

# container_pg_settings: prints postgresql.conf of the profile PG_PROFILE, in a container. The image's own tag is what docker/.env pins: a
# stand-in for it may have none.
container_pg_settings() {
  local major
  major=$(POSTGRES_IMAGE='' pinned POSTGRES_IMAGE | sed 's/^[^:]*:\([0-9]*\).*/\1/')
  PG_MAJOR=$major PG_PORT=5432 pg_settings '{"listen_addresses": "*", "unix_socket_directories": "/var/run/postgresql", "hba_file": "/etc/pglab/pg_hba.conf"}'
}

# container_pg_hba: prints pg_hba.conf. Its local connections come from inside the container, while the cluster is created.
container_pg_hba() {
  echo "local all all trust"
  PG_TOPOLOGY=replicated pg_hba all
}
