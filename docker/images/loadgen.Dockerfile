# The load tools of the project, psql and pgbench of the server's own version, and Node for the scripts that want it.
ARG GO_IMAGE
ARG NODE_IMAGE
ARG POSTGRES_IMAGE

FROM ${GO_IMAGE} AS k6
WORKDIR /build
COPY k6/build/go.mod k6/build/go.sum ./
RUN go mod download
COPY k6/build ./
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -o /k6 .

FROM ${NODE_IMAGE} AS node
# hadolint ignore=DL3008
RUN apt-get update && apt-get install -y --no-install-recommends python3-pip
WORKDIR /tpchgen
ARG TPCHGEN_VERSION
RUN pip3 download --no-deps --only-binary :all: "tpchgen-cli==$TPCHGEN_VERSION" \
  && python3 -m zipfile -e ./*.whl . \
  && mv ./*.data/scripts/tpchgen-cli . \
  && chmod 755 tpchgen-cli
WORKDIR /scripts
COPY scripts/package.json scripts/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM ${POSTGRES_IMAGE}
# Debian's own packages move with its security updates: a version named here would soon be gone.
# The repository is mounted where it lies on the host, which may be below /root.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install -y --no-install-recommends apache2-utils ca-certificates curl jq libstdc++6 wrk \
  && rm -rf /var/lib/apt/lists/* \
  && chmod 711 /root
COPY --from=k6 /k6 /usr/local/bin/k6
COPY --from=node /tpchgen/tpchgen-cli /usr/local/bin/node /usr/local/bin/
# At the root, where every folder that the repository may be mounted at finds them.
COPY --from=node /scripts/node_modules /node_modules
ARG PGLAB_INPUTS
LABEL pglab.inputs=${PGLAB_INPUTS}
# a container can tell it, too
ENV HOME=/tmp PGLAB_INPUTS=${PGLAB_INPUTS}
USER 65534:65534
ENTRYPOINT []
CMD ["sleep", "infinity"]
