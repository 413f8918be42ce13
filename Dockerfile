# syntax=docker/dockerfile:1
# The agent in a small image: docker build -t ggp-agent . && docker run --rm -p 9147:9147 ggp-agent

FROM python:3.11-slim AS build
WORKDIR /src
RUN python -m venv /opt/agent
ENV PATH=/opt/agent/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY agent agent
COPY reasoner reasoner
COPY search search
COPY config config
COPY games games
RUN pip install -c constraints.txt .
# Kernels are compiled here for the building machine's processor; on another kind they are compiled anew at the first start.
ENV NUMBA_CACHE_DIR=/opt/agent/kernels
WORKDIR /
RUN python -c "import reasoner; reasoner.warm_up()"

FROM python:3.11-slim
RUN useradd --create-home --uid 10001 agent
COPY --from=build --chown=agent:agent /opt/agent /opt/agent
COPY config/container.toml /etc/ggp-agent.toml
ENV PATH=/opt/agent/bin:$PATH NUMBA_CACHE_DIR=/opt/agent/kernels PYTHONUNBUFFERED=1
USER agent
WORKDIR /home/agent
EXPOSE 9147
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-m", "agent.health"]
ENTRYPOINT ["ggp-agent"]
CMD ["serve", "--config", "/etc/ggp-agent.toml"]
