{{- define "orbweaver.name" -}}
{{- if contains "orbweaver" .Release.Name -}}
{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-orbweaver" .Release.Name | trunc 50 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{- define "orbweaver.selector" -}}
app.kubernetes.io/name: orbweaver
app.kubernetes.io/instance: {{ .Release.Name | quote }}
app.kubernetes.io/component: worker
{{- end -}}

{{- define "orbweaver.labels" -}}
{{ include "orbweaver.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "orbweaver.secret" -}}
{{ .Values.store.existingSecret | default (printf "%s-store" (include "orbweaver.name" .)) }}
{{- end -}}
