# All targets that are written in JavaScript, and the project's own Cube.
ARG NODE_IMAGE
FROM ${NODE_IMAGE}
# On Kubernetes the repository is unpacked where it lies on the driver's machine, which may be below /root.
WORKDIR /pglab
COPY apps/package.json apps/package-lock.json apps/
COPY apps/cube/package.json apps/cube/package-lock.json apps/cube/
RUN npm --prefix apps ci --ignore-scripts --no-audit --no-fund \
  && npm --prefix apps/cube ci --ignore-scripts --no-audit --no-fund \
  && rm -rf /root/.npm \
  && chmod 711 /root
COPY apps apps
# what the null responder answers
COPY scripts/sql/verify/*.json scripts/sql/verify/
COPY docker/images/start.sh docker/images/start.js docker/
ARG PGLAB_INPUTS
LABEL pglab.inputs=${PGLAB_INPUTS}
# a container can tell it, too
ENV PGLAB_INPUTS=${PGLAB_INPUTS}
USER node
CMD ["docker/start.sh", "target"]
