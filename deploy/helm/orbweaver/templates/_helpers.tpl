{{- define "orbweaver.name" -}}
{{- if contains "orbweaver" .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-orbweaver" .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{/* Every pod of the release. */}}
{{- define "orbweaver.all" -}}
app.kubernetes.io/name: orbweaver
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{/* Those of one kind: takes root and component. */}}
{{- define "orbweaver.selector" -}}
{{ include "orbweaver.all" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "orbweaver.labels" -}}
{{ include "orbweaver.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
{{- end -}}

{{- define "orbweaver.secret" -}}
{{ .Values.store.existingSecret | default (printf "%s-store" (include "orbweaver.name" .)) }}
{{- end -}}

{{- define "orbweaver.healthSecret" -}}
{{ .Values.health.existingSecret | default (printf "%s-health" (include "orbweaver.name" .)) }}
{{- end -}}

{{- define "orbweaver.pod" -}}
automountServiceAccountToken: false
# Otherwise Kubernetes adds variables such as ORBWEAVER_..._SERVICE_HOST, and the program rejects unknown ones.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "orbweaver.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
{{- end -}}

{{/* For compiled code. */}}
{{- define "orbweaver.tmp" -}}
- name: tmp
  emptyDir: { medium: Memory, sizeLimit: 64Mi }
{{- end -}}

{{/* What every process is told, by the values last: takes root, part (its name in the values) and of (its values). */}}
{{- define "orbweaver.env" -}}
- name: ORBWEAVER_STORE
  value: {{ .root.Values.store.url | quote }}
{{- if or .root.Values.store.existingSecret .root.Values.store.password }}
- name: PGPASSWORD
  valueFrom:
    secretKeyRef:
      name: {{ include "orbweaver.secret" .root }}
      key: {{ .root.Values.store.passwordKey }}
{{- end }}
{{- if .root.Values.archive.stores }}
- name: ORBWEAVER_ARCHIVE_STORE
  value: {{ join "\n" .root.Values.archive.stores | quote }}
{{- end }}
{{- if .root.Values.archive.existingSecret }}
- name: AWS_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.archive.existingSecret }}, key: AWS_ACCESS_KEY_ID }
- name: AWS_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef: { name: {{ .root.Values.archive.existingSecret }}, key: AWS_SECRET_ACCESS_KEY }
{{- end }}
- name: ORBWEAVER_HEALTH_SECRET
  valueFrom:
    secretKeyRef:
      name: {{ include "orbweaver.healthSecret" .root }}
      key: {{ .root.Values.health.secretKey }}
- name: ORBWEAVER_GRACE
  value: {{ mul .of.graceSeconds 1000 | quote }}
- name: ORBWEAVER_HEALTH_PORT
  value: {{ .of.healthPort | quote }}
{{- range $name, $value := .of.env }}
{{- if not (kindIs "string" $value) }}
{{- fail (printf "%s.env.%s must be in quotes: Helm would write a large number as 1e+06." $.part $name) }}
{{- end }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{/* Takes the name of a port: it opens when the store is open. */}}
{{- define "orbweaver.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: {{ . }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: {{ . }} }
  periodSeconds: 5
  timeoutSeconds: 5
{{- end -}}

{{/* Where pods run: takes the values of a part. */}}
{{- define "orbweaver.placement" -}}
{{- if .nodeSelector }}
nodeSelector:
  {{- toYaml .nodeSelector | nindent 2 }}
{{- end }}
{{- if .tolerations }}
tolerations:
  {{- toYaml .tolerations | nindent 2 }}
{{- end }}
{{- if .affinity }}
affinity:
  {{- toYaml .affinity | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where people reach the API; empty when that is not known. */}}
{{- define "orbweaver.publicUrl" -}}
{{- if .Values.api.publicUrl -}}
{{ .Values.api.publicUrl }}
{{- else if and .Values.ingress.enabled .Values.ingress.tlsSecret -}}
{{ printf "https://%s" .Values.ingress.host }}
{{- else if .Values.ingress.enabled -}}
{{ printf "http://%s" .Values.ingress.host }}
{{- end -}}
{{- end -}}
