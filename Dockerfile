# syntax=docker/dockerfile:1
# The agent in a small image: docker build -t ggp-agent . && docker run --rm --init -p 9147:9147 ggp-agent
# With --build-arg 'EXTRAS=[study]' it can study games, too, which brings PyTorch: several times as large.
# It is built for linux/amd64 and linux/arm64 (.github/workflows/release.yml).

FROM python:3.11-slim AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv --without-pip /opt/agent
WORKDIR /src
COPY pyproject.toml setup.py constraints.txt README.md LICENSE ./
COPY agent agent
COPY ggp_agent ggp_agent
COPY reasoner reasoner
COPY search search
COPY config config
COPY games games
ARG EXTRAS=
RUN pip --python /opt/agent/bin/python install -c constraints.txt ".${EXTRAS}"
COPY docker/choose-processor /opt/agent/bin/
# Kernels are compiled here for a baseline processor; a machine that lacks something of it compiles its own at the first start.
ENV PATH=/opt/agent/bin:$PATH NUMBA_CACHE_DIR=/opt/kernels
WORKDIR /
RUN choose-processor python -c "import reasoner, search; reasoner.warm_up_relational(); search.warm_up()"

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 agent
COPY --from=build /opt/agent /opt/agent
# The agent may write here, and nowhere else but its home: kernels for a processor that is not the baseline.
COPY --from=build --chown=agent:agent /opt/kernels /opt/kernels
COPY config/container.toml /etc/ggp-agent.toml
ENV PATH=/opt/agent/bin:$PATH NUMBA_CACHE_DIR=/opt/kernels PYTHONUNBUFFERED=1
USER 10001
WORKDIR /home/agent
# Journals and studied games go here; a volume mounted over one takes its owner from this folder.
RUN mkdir -p /home/agent/.local/state /home/agent/.local/share
EXPOSE 9147
HEALTHCHECK --interval=30s --timeout=5s --start-period=180s \
    CMD ["python", "-m", "agent.health"]
ENTRYPOINT ["choose-processor", "ggp-agent"]
CMD ["serve", "--config", "/etc/ggp-agent.toml"]
