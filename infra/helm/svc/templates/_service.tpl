{{- define "svc.labels" -}}
app.kubernetes.io/name: svc
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "svc.image" -}}
{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}
{{- end -}}

{{- define "svc.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{/* A Deployment, its account, its budget of disruption and, for what people and sandboxes call, its Service. */}}
{{- define "svc.service" -}}
{{- $values := index .root.Values .key -}}
{{- $ports := default dict .ports -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "svc.labels" . | nindent 4 }}
automountServiceAccountToken: {{ default false .token }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "svc.labels" . | nindent 4 }}
spec:
  {{- if not (and .scales .root.Values.autoscaling.enabled) }}
  replicas: {{ $values.replicas }}
  {{- end }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels:
      {{- include "svc.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "svc.labels" . | nindent 8 }}
    spec:
      serviceAccountName: {{ .root.Release.Name }}-{{ .name }}
      automountServiceAccountToken: {{ default false .token }}
      # Variables that Kubernetes makes of the Services' names, such as SVC_EXECUTOR_PORT, would be taken for settings.
      enableServiceLinks: false
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # Twenty seconds more than it goes on listening: ten to end well or at once, and ten to spare.
      terminationGracePeriodSeconds: {{ add 30 .root.Values.drainSeconds }}
      securityContext:
        runAsNonRoot: true
        fsGroup: 1000
        seccompProfile: { type: RuntimeDefault }
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "svc.labels" . | nindent 14 }}
      containers:
        - name: {{ .name }}
          image: {{ include "svc.image" .root | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          command: [node, apps/{{ .name }}/dist/main.js]
          envFrom:
            - secretRef: { name: {{ default .root.Values.existingSecret $values.existingSecret | quote }} }
          env:
            {{- $env := dict "SVC_INTERNAL_HOST" "0.0.0.0" "SVC_INTERNAL_PORT" 7701 "SVC_SCHEMA_WAIT_SECONDS" .root.Values.schemaWaitSeconds "SVC_DRAIN_SECONDS" .root.Values.drainSeconds }}
            {{- if not (has .name (list "gateway" "app-proxy")) }}
            {{- $_ := set $env "SVC_PUBLIC_URL" .root.Values.publicUrl }}
            {{- $_ := set $env "SVC_LLM_BASE_URL" (printf "http://%s-gateway.%s.svc:8081/v1/llm" .root.Release.Name .root.Release.Namespace) }}
            {{- $_ := set $env "SVC_REPOSITORIES_DIR" "/var/lib/svc/repositories" }}
            {{- $_ := set $env "SVC_MIRRORS_DIR" "/var/lib/svc/mirrors" }}
            {{- with .root.Values.previewHost }}{{ $_ := set $env "SVC_PREVIEW_HOST" . }}{{ end }}
            {{- $env = merge (deepCopy .root.Values.env) $env }}
            {{- end }}
            {{- if .token }}
            {{- /* The settings of those who make pods. */}}
            {{- $sandboxes := .root.Values.sandboxes }}
            {{- $pods := dict "SVC_SANDBOX_PROVIDER" "kubernetes" "SVC_DEPLOYMENT" $sandboxes.deployment "SVC_KUBERNETES_NAMESPACE" $sandboxes.namespace "SVC_KUBERNETES_IMAGE" $sandboxes.image "SVC_KUBERNETES_PLATFORM" .root.Release.Namespace "SVC_KUBERNETES_PLATFORM_PORTS" "8080,8081" }}
            {{- with $sandboxes.harnesses }}{{ $_ := set $pods "SVC_KUBERNETES_HARNESSES" . }}{{ end }}
            {{- with $sandboxes.pullSecret }}{{ $_ := set $pods "SVC_KUBERNETES_PULL_SECRET" . }}{{ end }}
            {{- $env = merge $pods $env }}
            {{- end }}
            {{- if eq .name "app-proxy" }}{{ $_ := set $env "SVC_PUBLIC_URL" .root.Values.publicUrl }}{{ end }}
            {{- if ne .name "gateway" }}
            {{- with .root.Values.appsUrl }}{{ $_ := set $env "SVC_APPS_URL" . }}{{ end }}
            {{- end }}
            {{- if has .name (list "api" "channel-worker") }}
            {{- with .root.Values.channelMail.domain }}{{ $_ := set $env "SVC_CHANNEL_MAIL_DOMAIN" . }}{{ end }}
            {{- with .root.Values.channelMail.authserv }}{{ $_ := set $env "SVC_CHANNEL_MAIL_AUTHSERV" . }}{{ end }}
            {{- end }}
            {{- if eq .name "api" }}
            {{- $_ := set $env "SVC_EXECUTOR_URL" (printf "http://%s-executor.%s.svc:8082" .root.Release.Name .root.Release.Namespace) }}
            {{- end }}
            {{- $env = merge (deepCopy $values.env) (deepCopy (default dict .env)) $env }}
            {{- range $key, $value := $env }}
            - { name: {{ $key }}, value: {{ $value | toString | quote }} }
            {{- end }}
            {{- if and .root.Values.gatewayKeySecret (has .name (list "api" "gateway")) }}
            - name: SVC_GATEWAY_MASTER_KEY
              valueFrom: { secretKeyRef: { name: {{ .root.Values.gatewayKeySecret | quote }}, key: SVC_GATEWAY_MASTER_KEY } }
            {{- end }}
            {{- if eq .name "executor" }}
            - name: SVC_EXECUTOR_ADDRESS
              valueFrom: { fieldRef: { fieldPath: status.podIP } }
            {{- end }}
            - name: SVC_MACHINE
              valueFrom: { fieldRef: { fieldPath: spec.nodeName } }
          ports:
            - { name: internal, containerPort: 7701 }
            {{- range $name, $port := $ports }}
            - { name: {{ $name }}, containerPort: {{ $port }} }
            {{- end }}
          startupProbe:
            httpGet: { path: /healthz, port: internal }
            periodSeconds: 5
            timeoutSeconds: 5
            # Waiting for the schema is part of the start.
            failureThreshold: {{ add 12 (div .root.Values.schemaWaitSeconds 5) }}
          livenessProbe:
            httpGet: { path: /healthz, port: internal }
            periodSeconds: 10
            # A node that is busy is no reason to end what runs there: the second that is given otherwise is soon over.
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /readyz, port: internal }
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 2
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          securityContext:
            {{- include "svc.containerSecurity" . | nindent 12 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- if not (has .name (list "gateway" "app-proxy")) }}
            - { name: repositories, mountPath: /var/lib/svc/repositories }
            - { name: mirrors, mountPath: /var/lib/svc/mirrors }
            {{- end }}
            {{- if eq .name "sandbox-worker" }}
            - { name: sandboxes, mountPath: /var/lib/svc/sandboxes }
            {{- end }}
      volumes:
        - { name: tmp, emptyDir: {} }
        {{- if not (has .name (list "gateway" "app-proxy")) }}
        - { name: mirrors, emptyDir: {} }
        - name: repositories
          persistentVolumeClaim: { claimName: {{ .root.Values.repositories.existingClaim | quote }} }
        {{- end }}
        {{- if eq .name "sandbox-worker" }}
        - { name: sandboxes, emptyDir: {} }
        {{- end }}
---
apiVersion: policy/v1{{ if not (.root.Capabilities.APIVersions.Has "policy/v1/PodDisruptionBudget") }}beta1{{ end }}
kind: PodDisruptionBudget
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "svc.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      {{- include "svc.labels" . | nindent 6 }}
{{- if $ports }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "svc.labels" . | nindent 4 }}
spec:
  selector:
    {{- include "svc.labels" . | nindent 4 }}
  ports:
    {{- range $name, $port := $ports }}
    - { name: {{ $name }}, port: {{ $port }}, targetPort: {{ $name }} }
    {{- end }}
{{- end }}
{{- if and .scales .root.Values.autoscaling.enabled }}
---
apiVersion: autoscaling/v2{{ if not (.root.Capabilities.APIVersions.Has "autoscaling/v2/HorizontalPodAutoscaler") }}beta2{{ end }}
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .root.Release.Name }}-{{ .name }}
  labels:
    {{- include "svc.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .root.Release.Name }}-{{ .name }} }
  minReplicas: {{ .root.Values.autoscaling.minReplicas }}
  maxReplicas: {{ .root.Values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .root.Values.autoscaling.cpu }} }
{{- end }}
{{- end -}}
