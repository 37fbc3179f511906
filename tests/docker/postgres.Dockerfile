# A stand-in for the official postgres image, from Debian's packages. Its user, paths and entrypoint are the official ones.
# hadolint ignore=DL3006
FROM pglab-stand-in/debian
# hadolint ignore=DL3008
RUN groupadd --gid 999 postgres \
  && useradd --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
  && mkdir -p /etc/postgresql-common \
  && echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf \
  && apt-get update \
  && apt-get install -y --no-install-recommends postgresql postgresql-contrib \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /usr/lib/postgresql/* /usr/lib/postgresql/current \
  && mkdir -p /var/lib/postgresql/data /docker-entrypoint-initdb.d \
  && chown -R postgres:postgres /var/lib/postgresql /var/run/postgresql \
  && chmod 1777 /var/lib/postgresql/data /var/run/postgresql
ENV PATH=/usr/lib/postgresql/current/bin:$PATH PGDATA=/var/lib/postgresql/data
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
VOLUME /var/lib/postgresql/data
ENTRYPOINT ["docker-entrypoint.sh"]
STOPSIGNAL SIGINT
CMD ["postgres"]
