# One image for every node: the web client and the server are built in the first stage, the second has
# no build tools and no demo. It runs as a user without rights and needs no place to write but /tmp and,
# where the database is embedded or files are kept on the disk, /data.
FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN rm -r demo && npm run build

FROM node:24.21.0-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=5000 DATA_DIR=/data
COPY package.json package-lock.json .npmrc ./
# 'off' leaves out what only the GPL lets you pass on, for an image that others get (THIRD-PARTY.md).
ARG FILM_DECODER=on
# The image has its own Node; the one that the packages bring is not needed.
RUN npm ci --omit=dev && npm cache clean --force \
  && if [ "$FILM_DECODER" = off ]; then rm -rf node_modules/@napi-rs/webcodecs*; fi \
  && rm -rf node_modules/node-linux-* node_modules/.bin/node \
  && mkdir /data .cache && chown node /data .cache
COPY LICENSE THIRD-PARTY.md ./
COPY migrations migrations
COPY src/contract src/contract
COPY src/server src/server
COPY --from=build /app/dist dist
USER node
VOLUME /data
EXPOSE 5000
# Alive, not ready: a node whose database is away must not be restarted for that.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:5000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
