/** Every operation and record of the API. Made from docs/openapi.json by `npm run generate`. */
export interface paths {
    "/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Basic status; needs no key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            status: "ok";
                            /** @description Of the interface. */
                            version: string;
                            /** @description Of this service; CHANGELOG.md says what is in it. */
                            service_version: string;
                            /** @description Of the node that answers. */
                            uptime_seconds: number;
                            /** @description Of all keys, on all nodes of the service; a second old, or older while the database is away. */
                            processes_running: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check an API key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            valid: true;
                            username: string;
                            product: string;
                            is_master: boolean;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Check an API key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            valid: true;
                            username: string;
                            product: string;
                            is_master: boolean;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user_info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account behind the key */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            version: string;
                            username: string;
                            product: string;
                            uploaded_video_storage: {
                                max_video_upload_size_bytes: number;
                                total_storage_size_bytes: number;
                                used_storage_size_bytes: number;
                            };
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                                /** @description How long the minutes last if what runs now goes on; null when nothing runs, or it is unlimited; 0 when there are none left. */
                                lasts_minutes: number | null;
                                /** @description They last less than a day, or there are none left. */
                                minutes_low: boolean;
                            };
                            /** @description One entry per child key; present when there are any. */
                            children_subscription?: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                                /** @description How long the minutes last if what runs now goes on; null when nothing runs, or it is unlimited; 0 when there are none left. */
                                lasts_minutes: number | null;
                                /** @description They last less than a day, or there are none left. */
                                minutes_low: boolean;
                                username: string;
                            }[];
                            is_track_logger_enabled: boolean;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deprecated: use /user_info
         * @deprecated
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            version: string;
                            uploaded_video_storage: {
                                max_video_upload_size_bytes: number;
                                total_storage_size_bytes: number;
                                used_storage_size_bytes: number;
                            };
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                consumed_minutes: number;
                            };
                            product: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List child keys */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered, and streams published at a time. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Streams that are made into HLS at a time. */
                            max_hls_streams: number;
                            /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                            max_webrtc_sessions: number;
                            /** @description Clients that read its streams by RTSP or RTMP at a time. */
                            max_readers: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                            track_retention_days: number;
                            /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                            alert_retention_days: number;
                            /** @description Consumption is counted but never stops anything. Only an unlimited master can give this to its keys. */
                            unlimited: boolean;
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Create a child key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Also the first part of the paths of its streams. */
                        username: string;
                        /**
                         * @description Taken from the minutes that the master has pending; null for a key that is unlimited, as its master is.
                         * @default 0
                         */
                        minutes?: number | null;
                        /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                        expiration_date?: string | null;
                        /** @description Sources that may be registered, and streams published at a time. */
                        max_sources?: number;
                        /** @description Outputs that may be registered. */
                        max_outputs?: number;
                        /** @description Outputs attached to one process at a time. */
                        max_attached_outputs?: number;
                        /** @description Processes at a time. */
                        max_processes?: number;
                        /** @description Streams that are made into HLS at a time. */
                        max_hls_streams?: number;
                        /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                        max_webrtc_sessions?: number;
                        /** @description Clients that read its streams by RTSP or RTMP at a time. */
                        max_readers?: number;
                        /** @description Largest video file. */
                        max_video_upload_size_bytes?: number;
                        /** @description All uploaded video files together. */
                        total_storage_size_bytes?: number;
                        /** @description Whether track reports are kept. */
                        track_logger?: boolean;
                        /** @description Whether track reports may be enhanced. */
                        enhancement?: boolean;
                        /** @description Whether processed video is recorded. */
                        process_recording?: boolean;
                        /** @description How long recordings of sources are kept. */
                        recording_retention_days?: number;
                        /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                        track_retention_days?: number;
                        /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                        alert_retention_days?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered, and streams published at a time. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Streams that are made into HLS at a time. */
                            max_hls_streams: number;
                            /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                            max_webrtc_sessions: number;
                            /** @description Clients that read its streams by RTSP or RTMP at a time. */
                            max_readers: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                            track_retention_days: number;
                            /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                            alert_retention_days: number;
                            /** @description Consumption is counted but never stops anything. Only an unlimited master can give this to its keys. */
                            unlimited: boolean;
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                            };
                            /** @description The API key. It is shown only here; we keep a hash of it. */
                            key: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{username}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key */
        delete: {
            parameters: {
                query?: {
                    /** @description Also delete what the key has stored, at once; also of a key that was revoked before. Its name is free five minutes later. */
                    purge?: string;
                };
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change limits, features or expiry */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                        expiration_date?: string | null;
                        /** @description Sources that may be registered, and streams published at a time. */
                        max_sources?: number;
                        /** @description Outputs that may be registered. */
                        max_outputs?: number;
                        /** @description Outputs attached to one process at a time. */
                        max_attached_outputs?: number;
                        /** @description Processes at a time. */
                        max_processes?: number;
                        /** @description Streams that are made into HLS at a time. */
                        max_hls_streams?: number;
                        /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                        max_webrtc_sessions?: number;
                        /** @description Clients that read its streams by RTSP or RTMP at a time. */
                        max_readers?: number;
                        /** @description Largest video file. */
                        max_video_upload_size_bytes?: number;
                        /** @description All uploaded video files together. */
                        total_storage_size_bytes?: number;
                        /** @description Whether track reports are kept. */
                        track_logger?: boolean;
                        /** @description Whether track reports may be enhanced. */
                        enhancement?: boolean;
                        /** @description Whether processed video is recorded. */
                        process_recording?: boolean;
                        /** @description How long recordings of sources are kept. */
                        recording_retention_days?: number;
                        /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                        track_retention_days?: number;
                        /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                        alert_retention_days?: number;
                        /** @description Consumption is counted but never stops anything. Only an unlimited master can give this to its keys. */
                        unlimited?: boolean;
                        /** @description Not here: `POST /subscription/allocate` gives minutes. */
                        minutes?: unknown;
                    };
                };
            };
            responses: {
                /** @description Limits, features and expiry are what counts: never more than the master has, whatever the key was given. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered, and streams published at a time. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Streams that are made into HLS at a time. */
                            max_hls_streams: number;
                            /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                            max_webrtc_sessions: number;
                            /** @description Clients that read its streams by RTSP or RTMP at a time. */
                            max_readers: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                            track_retention_days: number;
                            /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                            alert_retention_days: number;
                            /** @description Consumption is counted but never stops anything. Only an unlimited master can give this to its keys. */
                            unlimited: boolean;
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/keys/{username}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace a key by a new one */
        post: {
            parameters: {
                query?: {
                    /** @description Also revoke all tokens of its sources. Without it, cameras and viewers that use one go on. */
                    revoke_tokens?: string;
                };
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered, and streams published at a time. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Streams that are made into HLS at a time. */
                            max_hls_streams: number;
                            /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                            max_webrtc_sessions: number;
                            /** @description Clients that read its streams by RTSP or RTMP at a time. */
                            max_readers: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                            track_retention_days: number;
                            /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                            alert_retention_days: number;
                            /** @description Consumption is counted but never stops anything. Only an unlimited master can give this to its keys. */
                            unlimited: boolean;
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                            };
                            /** @description The API key. It is shown only here; we keep a hash of it. */
                            key: string;
                            /** @description How many tokens of its sources still work; `revoke_tokens=true` revokes them with the key. */
                            source_tokens: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscription/allocate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give pending minutes to a key */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Also the first part of the paths of its streams. */
                        username: string;
                        minutes: number;
                    };
                };
            };
            responses: {
                /** @description Limits, features and expiry are what counts: never more than the master has, whatever the key was given. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            created_at: string;
                            /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                            expiration_date: string | null;
                            /** @description Sources that may be registered, and streams published at a time. */
                            max_sources: number;
                            /** @description Outputs that may be registered. */
                            max_outputs: number;
                            /** @description Outputs attached to one process at a time. */
                            max_attached_outputs: number;
                            /** @description Processes at a time. */
                            max_processes: number;
                            /** @description Streams that are made into HLS at a time. */
                            max_hls_streams: number;
                            /** @description Browsers that watch or publish its streams by WebRTC at a time. */
                            max_webrtc_sessions: number;
                            /** @description Clients that read its streams by RTSP or RTMP at a time. */
                            max_readers: number;
                            /** @description Largest video file. */
                            max_video_upload_size_bytes: number;
                            /** @description All uploaded video files together. */
                            total_storage_size_bytes: number;
                            /** @description Whether track reports are kept. */
                            track_logger: boolean;
                            /** @description Whether track reports may be enhanced. */
                            enhancement: boolean;
                            /** @description Whether processed video is recorded. */
                            process_recording: boolean;
                            /** @description How long recordings of sources are kept. */
                            recording_retention_days: number;
                            /** @description How long the parts of recordings are kept in which something was tracked; at least as long as all others. */
                            track_retention_days: number;
                            /** @description How long the parts of recordings are kept that an alert is about, and the alert’s events; at least as long as those with tracks. */
                            alert_retention_days: number;
                            /** @description Consumption is counted but never stops anything. Only an unlimited master can give this to its keys. */
                            unlimited: boolean;
                            subscription: {
                                /** @description 52560000 (a hundred years) when it is unlimited. */
                                remaining_minutes: number;
                                /** @description `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
                                expiration_date: string | null;
                                /** @description Minutes bought but not yet allocated to a key; 52560000 when it is unlimited. */
                                pending_to_allocate: number;
                                consumed_minutes: number;
                                /** @description Consumption is counted but never stops anything. */
                                unlimited: boolean;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{username}/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sources of others that a child key has rights on */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of the key that was given them. */
                            username: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description `watch`: its video, live and recorded; `events`: what was seen in it; `control`: starting, pausing and stopping processes on it. None has another in it. */
                            rights: ("watch" | "events" | "control")[];
                            /** @description When it was first given any on this source. */
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{username}/sources/{source_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Give a child key rights on a source, in the place of those that it had
         * @description On a source of the master or of one of its children. What runs with a right that is not among them any more ends within seconds.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                    source_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description All that it is to have from now on. `watch`: its video, live and recorded; `events`: what was seen in it; `control`: starting, pausing and stopping processes on it. None has another in it. */
                        rights: ("watch" | "events" | "control")[];
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of the key that was given them. */
                            username: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description `watch`: its video, live and recorded; `events`: what was seen in it; `control`: starting, pausing and stopping processes on it. None has another in it. */
                            rights: ("watch" | "events" | "control")[];
                            /** @description When it was first given any on this source. */
                            created_at: string;
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Of the key that was given them. */
                            username: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description `watch`: its video, live and recorded; `events`: what was seen in it; `control`: starting, pausing and stopping processes on it. None has another in it. */
                            rights: ("watch" | "events" | "control")[];
                            /** @description When it was first given any on this source. */
                            created_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        /** Take all rights on a source from a child key */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Also the first part of the paths of its streams. */
                    username: string;
                    source_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** Sign a browser in with a key or a code; answers a cookie */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        api_key?: string;
                        /** @description From a sign-in link; works once. */
                        code?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            username: string;
                            is_master: boolean;
                            expires_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /** Sign out */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {boolean} */
                            signed_out: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/code": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a link that signs a browser in once */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            code: string;
                            /** @description Opens the console, signed in; once. */
                            url: string;
                            expires_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What your pages keep here */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What is kept, by its name. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Keep something for your pages: up to 64 values of 16 kB */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            /** @description What is set, by its name; null for what is kept no more. What is left out stays. */
            requestBody: {
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description What is kept, by its name. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register a video file */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": {
                        /**
                         * Format: binary
                         * @description An mp4, mov or avi file.
                         */
                        file: string;
                        /** @description A label of your choice. */
                        alias?: string;
                        telemetry_cfg?: ({
                            /** @enum {string} */
                            type: "mqtt";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            parameters: {
                                /** @description Address of the broker. */
                                ip: string;
                                port: number;
                                topic: string;
                                username?: string;
                                password?: string;
                                tls?: boolean;
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "websocket";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            /** @default {} */
                            parameters?: {
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "static";
                            /**
                             * @default native
                             * @enum {string}
                             */
                            format?: "native";
                            parameters: {
                                /** @description The horizontal field of view of the camera in degrees. */
                                sensor_hfov: number;
                                /** @description The vertical field of view of the camera in degrees. */
                                sensor_vfov: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                                latitude?: number;
                                longitude?: number;
                                altitude?: number;
                                rel_altitude?: number;
                                speed?: number;
                                camera_pitch?: number;
                                camera_yaw?: number;
                                camera_roll?: number;
                                drone_pitch?: number;
                                drone_yaw?: number;
                                drone_roll?: number;
                                timestamp?: number;
                            };
                        }) | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register a stream */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias: string;
                        input_url: string;
                        /** @enum {string} */
                        stream_type: "rtmp" | "rtsp";
                        telemetry_cfg?: ({
                            /** @enum {string} */
                            type: "mqtt";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            parameters: {
                                /** @description Address of the broker. */
                                ip: string;
                                port: number;
                                topic: string;
                                username?: string;
                                password?: string;
                                tls?: boolean;
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "websocket";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            /** @default {} */
                            parameters?: {
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "static";
                            /**
                             * @default native
                             * @enum {string}
                             */
                            format?: "native";
                            parameters: {
                                /** @description The horizontal field of view of the camera in degrees. */
                                sensor_hfov: number;
                                /** @description The vertical field of view of the camera in degrees. */
                                sensor_vfov: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                                latitude?: number;
                                longitude?: number;
                                altitude?: number;
                                rel_altitude?: number;
                                speed?: number;
                                camera_pitch?: number;
                                camera_yaw?: number;
                                camera_roll?: number;
                                drone_pitch?: number;
                                drone_yaw?: number;
                                drone_roll?: number;
                                timestamp?: number;
                            };
                        }) | null;
                        /** @description Default: true. `recording_mode` says it more finely. */
                        record?: boolean;
                        /**
                         * @description What is kept of its stream. `always`: all of it. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour.
                         * @enum {string}
                         */
                        recording_mode?: "always" | "events" | "off";
                        /** @description Of `events`: the classes that count; null for all, an empty list where alerts alone count. */
                        recording_classes?: string[] | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stream/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look at a stream before it is registered: what it is, and what is wrong with it */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        input_url: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description A picture could be decoded. */
                            is_readable: boolean;
                            video: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            } | null;
                            /** @description What is wrong with it, and what to do. */
                            problems: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sources, those too that the key was given rights on */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One source */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove a source */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a source */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias?: string;
                        /** @description A camera keeps its path, unless another source shares it, and its processes go on with the new address. */
                        input_url?: string;
                        telemetry_cfg?: ({
                            /** @enum {string} */
                            type: "mqtt";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            parameters: {
                                /** @description Address of the broker. */
                                ip: string;
                                port: number;
                                topic: string;
                                username?: string;
                                password?: string;
                                tls?: boolean;
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "websocket";
                            /**
                             * @description `native`, or `vendor_a` (alias `dji`).
                             * @default native
                             * @enum {string}
                             */
                            format?: "native" | "vendor_a" | "dji";
                            /** @default {} */
                            parameters?: {
                                /** @description Horizontal field of view in degrees at zoom 1, for formats that do not send it. */
                                sensor_hfov?: number;
                                /** @description Vertical field of view in degrees at zoom 1. */
                                sensor_vfov?: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                            };
                        } | {
                            /** @enum {string} */
                            type: "static";
                            /**
                             * @default native
                             * @enum {string}
                             */
                            format?: "native";
                            parameters: {
                                /** @description The horizontal field of view of the camera in degrees. */
                                sensor_hfov: number;
                                /** @description The vertical field of view of the camera in degrees. */
                                sensor_vfov: number;
                                /**
                                 * @description Which lens is streamed; the vendor’s messages do not say. Default: wide.
                                 * @enum {string}
                                 */
                                lens?: "wide" | "zoom" | "ir";
                                /** @description Added to every heading. */
                                yaw_bias_deg?: number;
                                /** @description How much later the video is than the telemetry. */
                                time_offset_ms?: number;
                                /** @description Older telemetry locates nothing. Default 2000; 5000 for vendor_a. */
                                max_age_ms?: number;
                                latitude?: number;
                                longitude?: number;
                                altitude?: number;
                                rel_altitude?: number;
                                speed?: number;
                                camera_pitch?: number;
                                camera_yaw?: number;
                                camera_roll?: number;
                                drone_pitch?: number;
                                drone_yaw?: number;
                                drone_roll?: number;
                                timestamp?: number;
                            };
                        }) | null;
                        /** @description Whether its stream is kept while it sends; `recording_mode` says it more finely. true leaves `events`. */
                        record?: boolean;
                        /**
                         * @description What is kept of its stream. `always`: all of it. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour.
                         * @enum {string}
                         */
                        recording_mode?: "always" | "events" | "off";
                        /** @description Of `events`: the classes that count; null for all, an empty list where alerts alone count. */
                        recording_classes?: string[] | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "file" | "stream";
                            /** @description The username of the key that it belongs to. */
                            owner: string;
                            /** @description What the caller was given on it; null where it is its own, or its child’s: then it may do everything. */
                            rights: ("watch" | "events" | "control")[] | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null of what belongs to somebody else. */
                            input_url: string | null;
                            stream_type: ("rtmp" | "rtsp") | null;
                            /** @enum {string} */
                            status: "offline" | "streaming" | "processing" | "unknown";
                            /** @description Whether it is kept just now. Of streams. */
                            recording: ("on" | "off" | "stopped-disk-full") | null;
                            /** @description Whether it is to be kept while it sends: its mode is not `off`. Of streams. */
                            record: boolean | null;
                            /** @description What is to be kept. Of streams. `events`: ten seconds before and after what is tracked of the chosen classes, and what alerts are about; the rest goes after an hour. */
                            recording_mode: ("always" | "events" | "off") | null;
                            /** @description Of `events` the classes that count; null for all. */
                            recording_classes: string[] | null;
                            /** @description How it goes with a stream. */
                            connection: {
                                /**
                                 * @description `pulled`: a camera that the service calls.
                                 * @enum {string}
                                 */
                                kind: "published" | "pulled";
                                /**
                                 * @description Of a camera: `idle` while nobody needs it, `connecting` and `lost` while it is tried again and again.
                                 * @enum {string}
                                 */
                                state: "connected" | "offline" | "idle" | "connecting" | "lost";
                                /** @description Since when; null where it is not known. */
                                since: string | null;
                                /** @description What went wrong last, in words. */
                                last_error: string | null;
                                last_error_at: string | null;
                            } | null;
                            /** @description What is wrong with a stream now; null when all is well. */
                            problem: string | null;
                            /** @description When video last came from a stream, also when it is gone; null where none came since the service started. */
                            last_frame_at: string | null;
                            last_frame_age_ms: number | null;
                            /** @description When one of its live processes last got a good message. */
                            last_telemetry_at: string | null;
                            last_telemetry_age_ms: number | null;
                            /** @description Of streams; needs a key or a read token, as `?api_key=` or `?token=`. */
                            hls_url: string | null;
                            /** @description Of streams: what was recorded, as one stream that can be searched; `?from=&to=` say when. Read as `hls_url` is. */
                            vod_url: string | null;
                            /** @description A page that plays it; WHEP and WHIP are at /whep and /whip below it. */
                            webrtc_url: string | null;
                            /** @description null also of what belongs to somebody else. */
                            telemetry_cfg: unknown | null;
                            created_at: string;
                            video?: {
                                codec: string;
                                width: number;
                                height: number;
                                fps: number;
                                /** @description WebRTC can’t carry them. Left out while it isn’t known. */
                                has_b_frames?: boolean;
                            };
                            /** @description Processes that still work with the telemetry of before, as their `problem` says too: stop and start them for the new one. */
                            needs_relaunch: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/source/{source_id}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a token that may only publish or read this source */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        action: "publish" | "read";
                        /** @description Default: never. */
                        expires_in_seconds?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            token_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {string} */
                            action: "publish" | "read";
                            expires_at: string | null;
                            created_at: string;
                            /** @description Shown only here. */
                            token: string;
                            /** @description Ready to be put into a drone, an encoder, a player or a browser. */
                            urls: {
                                /** @description Begins with `rtsps` where there is a certificate. */
                                rtsp: string;
                                /** @description Likewise with `rtmps`. */
                                rtmp: string;
                                /** @description Not encrypted, where that port is open beside the encrypted one. */
                                rtsp_plain?: string;
                                /** @description Likewise. */
                                rtmp_plain?: string;
                                /** @description To read it. */
                                hls?: string;
                                /** @description To read it, a page that plays it; to publish, the WHIP endpoint. */
                                webrtc: string;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tokens of a source */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            token_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @enum {string} */
                            action: "publish" | "read";
                            expires_at: string | null;
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_id}/token/{token_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    source_id: string;
                    token_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            token_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List recordings of sources */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                    source_uuid?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            recording_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            started_at: string;
                            /** @description null while it goes on */
                            ended_at: string | null;
                            /** @description Of the files that are complete: while it goes on, without the newest. */
                            duration_seconds: number;
                            size_bytes: number;
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            segments: {
                                start: string;
                                /** @description null while it is being written, and where the file cannot be read */
                                duration_seconds: number | null;
                                size_bytes: number;
                                download_url: string;
                            }[];
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sources/recordings/segments/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a segment by its link */
        get: {
            parameters: {
                query?: {
                    /** @description Comes with the download_url. */
                    token?: string;
                };
                header?: never;
                path: {
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recorded/{piece}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A piece of a recording, by its address in a playlist
         * @description What `/hls/<username>/<stream_path>/vod.m3u8` lists. The address works for whoever plays that playlist, for 12 hours and for as long as it may watch the stream.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Comes with the playlist. */
                    token?: string;
                };
                header?: never;
                path: {
                    /** @description As a playlist names it. */
                    piece: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_uuid}/detections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was seen in a stream, as it was live
         * @description Kept beside the recordings of every stream that is recorded, for as long as `alert_retention_days` of the key. A process that reads it must have been running.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Default: a minute before `to`. */
                    from?: string;
                    /** @description Default: now. At most an hour after `from`. */
                    to?: string;
                    /** @description Only what this process saw. */
                    process_uuid?: string;
                    /** @description `false` leaves `active_tracks` empty: for the path of a camera. */
                    tracks?: "true" | "false";
                    /** @description Of each process one look, and then the first that is so much later. Default: all. */
                    every_seconds?: number;
                };
                header?: never;
                path: {
                    source_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description What was seen, the oldest first; an empty list where nothing was */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description When the frame was taken, UTC. */
                            timestamp: string;
                            /** Format: uuid */
                            process_uuid: string;
                            frame: {
                                width: number;
                                height: number;
                            };
                            active_tracks: {
                                /** @description 0 when tracking is off; never used twice in a process. */
                                track_id: number;
                                class_id: number;
                                class_name: string;
                                /** @description [x, y, width, height] in pixels of the input. */
                                bbox: number[];
                                /** @description The same as fractions of the input’s width and height. */
                                scaled_bbox: number[];
                                /** @description 0 to 100. */
                                confidence: number;
                                latitude?: number;
                                longitude?: number;
                                /** @description Metres above mean sea level. */
                                altitude?: number;
                            }[];
                            /** @description With telemetry that tells the whole pose. */
                            camera?: {
                                latitude: number;
                                longitude: number;
                                /** @description Metres above mean sea level. */
                                altitude: number;
                                /** @description Degrees from north. */
                                heading: number;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/source/{source_uuid}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was recorded of a stream, and what happened in it, as a line of time
         * @description From when to when there are recordings, how many tracks of each class there were in each step, what alerts notified of, and in which states processes were. Places are seconds from `from`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Only what this process saw, and what alerts notified of at it; recordings are shown all the same. */
                    process_uuid?: string;
                    /** @description Default: 24 hours before `to`. */
                    from?: string;
                    /** @description Default: now. At most 31 days after `from`. */
                    to?: string;
                    /** @description One of 1, 5, 60, 120, 300, 600, 1800, 3600, 7200; less than 60 for at most an hour. Default: the shortest that makes at most 744 steps. */
                    step_seconds?: number;
                };
                header?: never;
                path: {
                    source_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The line of time; of what there was nothing, lists are empty */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            source_uuid: string;
                            alias: string;
                            /** @description What was asked for, from the beginning of a step. */
                            from: string;
                            /** @description To the end of a step. */
                            to: string;
                            step_seconds: number;
                            /** @description [start, duration] in seconds; of more than 1,000 those that follow each other within half a step are one. null without the right to watch. */
                            recorded: [
                                number,
                                number
                            ][] | null;
                            recorded_seconds: number | null;
                            /** @description [start, duration] in seconds of what was missed in between. */
                            gaps: [
                                number,
                                number
                            ][] | null;
                            /** @description What processes saw, the most frequent first. null without the right to events. */
                            classes: {
                                class_name: string;
                                /** @description Different ones; without tracking the most at once. */
                                tracks: number;
                                /** @description In each step. */
                                counts: number[];
                            }[] | null;
                            /** @description What alerts notified of. */
                            alerts: {
                                count: number;
                                /** @description In each step. */
                                counts: number[];
                                /** @description The newest 100, the newest first. */
                                events: {
                                    /** Format: uuid */
                                    event_uuid: string;
                                    /** Format: uuid */
                                    alert_uuid: string;
                                    alias: string;
                                    type: string;
                                    /** @description As in the notification: `started`, `found`, … */
                                    event: string;
                                    at: string;
                                    /** Format: uuid */
                                    process_uuid: string;
                                }[];
                            } | null;
                            /** @description Those that went on in this time, at most 50, with at most 500 changes of state. */
                            processes: {
                                /** Format: uuid */
                                process_uuid: string;
                                /** @description [since, state]. */
                                states: [
                                    number,
                                    "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed"
                                ][];
                            }[] | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start processing a source
         * @description With the right `control` also a source of somebody else: the process is then its owner’s, with the owner’s minutes and limits.
         */
        post: {
            parameters: {
                query: {
                    source_uuid: string;
                    /** @description One of `GET /models`; the service’s default when left out. */
                    model?: string;
                    /** @description Percent: only what is at least this certain is told. When left out, a track begins at 30 and is followed down to 10. */
                    confidence?: number;
                    /** @description Comma-separated names of the only classes that are wanted. */
                    classes?: string;
                    /** @description Default true. Without it every `track_id` is 0. */
                    tracking?: "true" | "false";
                    /** @description When left out, what suits the model: `suggested_tiles` of `GET /models`. Cuts the picture into columns × rows that are looked at one by one, for small objects; takes as much longer. `auto` chooses them so that things have the size that the model was trained on, by height, pitch and field of view from telemetry and within the CPU that there is; the process info says what was chosen, and what was assumed. */
                    tiles?: string;
                    /** @description For files: as long as the video lasts, or as fast as the machine can. */
                    pace?: "realtime" | "fast";
                    /** @description `live` answers at once, also while the source sends nothing: the process is `waiting`, costs no minutes, and begins by itself when video comes. */
                    when?: "now" | "live";
                    /** @description Who goes first where the machine cannot look at every picture of every stream: `high` gets four times as much of the model as `normal`, `low` a quarter. `high` is for master keys. */
                    priority?: "low" | "normal" | "high";
                    /** @description With `when=live`: when the video has been gone for a minute, the process waits for the next, instead of reconnecting or failing. */
                    again?: "true" | "false";
                    /** @description Comma-separated, of a service of several nodes: the process runs only on nodes that have all of them in AERIE_NODE_LABELS, also when it goes on elsewhere. `GET /nodes` lists what there is. */
                    labels?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            feed_url: string;
                            detection_data_url: string;
                            telemetry_url: string;
                            /** @description On a machine that is full: what that means. */
                            warning?: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List processes, those that have ended too, and those on sources whose events the key may read */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description `live` are all that go on. */
                    state?: "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed" | "live";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Null when the source has been removed. */
                            source_alias: string | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null where the source belongs to somebody else. */
                            source_url: string | null;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            /** @description What is wrong now, with the source, the telemetry or an output; null when all is well. */
                            problem: string | null;
                            /** @description When its last picture was decoded; null before the first. */
                            last_frame_at: string | null;
                            /** @description Since then; null also when it has ended. */
                            last_frame_age_ms: number | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @description What `tiles=auto` has chosen; null otherwise. */
                            tiling: {
                                grid: string;
                                /** @description Pixels that the model sees for each pixel of the picture. */
                                scale: number;
                                /** @description How often it looks at one picture. */
                                looks: number;
                                /** @description Why, and what was assumed. */
                                reason: string;
                            } | null;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            /** @enum {string} */
                            when: "now" | "live";
                            /** @description It begins each time that video comes. */
                            again: boolean;
                            /** @enum {string} */
                            priority: "low" | "normal" | "high";
                            /** @description What its node must have. */
                            labels: string[];
                            /** @description Empty where the source belongs to somebody else. */
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description When the last good message came; null before the first. */
                                last_at: string | null;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description What places messages in time: their own timestamps, or their arrival while those cannot be right. Null before the first. */
                                clock: ("sender" | "arrival") | null;
                                /** @description Why it is the arrival; null otherwise. */
                                clock_note: string | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong now: with the channel, or that nothing good comes by it. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                latency_ms_p99: number | null;
                                consumed_seconds: number;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Stop all your processes, or all of a child key */
        delete: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/stop_all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop all your processes, or all of a child key
         * @deprecated
         */
        post: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One process */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Null when the source has been removed. */
                            source_alias: string | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null where the source belongs to somebody else. */
                            source_url: string | null;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            /** @description What is wrong now, with the source, the telemetry or an output; null when all is well. */
                            problem: string | null;
                            /** @description When its last picture was decoded; null before the first. */
                            last_frame_at: string | null;
                            /** @description Since then; null also when it has ended. */
                            last_frame_age_ms: number | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @description What `tiles=auto` has chosen; null otherwise. */
                            tiling: {
                                grid: string;
                                /** @description Pixels that the model sees for each pixel of the picture. */
                                scale: number;
                                /** @description How often it looks at one picture. */
                                looks: number;
                                /** @description Why, and what was assumed. */
                                reason: string;
                            } | null;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            /** @enum {string} */
                            when: "now" | "live";
                            /** @description It begins each time that video comes. */
                            again: boolean;
                            /** @enum {string} */
                            priority: "low" | "normal" | "high";
                            /** @description What its node must have. */
                            labels: string[];
                            /** @description Empty where the source belongs to somebody else. */
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description When the last good message came; null before the first. */
                                last_at: string | null;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description What places messages in time: their own timestamps, or their arrival while those cannot be right. Null before the first. */
                                clock: ("sender" | "arrival") | null;
                                /** @description Why it is the arrival; null otherwise. */
                                clock_note: string | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong now: with the channel, or that nothing good comes by it. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                latency_ms_p99: number | null;
                                consumed_seconds: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Stop a process */
        delete: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a process
         * @deprecated
         */
        post: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            stopped: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a process: no detection, no minutes; its place and its connections stay */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Null when the source has been removed. */
                            source_alias: string | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null where the source belongs to somebody else. */
                            source_url: string | null;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            /** @description What is wrong now, with the source, the telemetry or an output; null when all is well. */
                            problem: string | null;
                            /** @description When its last picture was decoded; null before the first. */
                            last_frame_at: string | null;
                            /** @description Since then; null also when it has ended. */
                            last_frame_age_ms: number | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @description What `tiles=auto` has chosen; null otherwise. */
                            tiling: {
                                grid: string;
                                /** @description Pixels that the model sees for each pixel of the picture. */
                                scale: number;
                                /** @description How often it looks at one picture. */
                                looks: number;
                                /** @description Why, and what was assumed. */
                                reason: string;
                            } | null;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            /** @enum {string} */
                            when: "now" | "live";
                            /** @description It begins each time that video comes. */
                            again: boolean;
                            /** @enum {string} */
                            priority: "low" | "normal" | "high";
                            /** @description What its node must have. */
                            labels: string[];
                            /** @description Empty where the source belongs to somebody else. */
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description When the last good message came; null before the first. */
                                last_at: string | null;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description What places messages in time: their own timestamps, or their arrival while those cannot be right. Null before the first. */
                                clock: ("sender" | "arrival") | null;
                                /** @description Why it is the arrival; null otherwise. */
                                clock_note: string | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong now: with the channel, or that nothing good comes by it. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                latency_ms_p99: number | null;
                                consumed_seconds: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a paused process */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            state: "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Null when the source has been removed. */
                            source_alias: string | null;
                            /** @description Passwords and keys are masked; the file’s name for files. null where the source belongs to somebody else. */
                            source_url: string | null;
                            created_at: string;
                            /** @description When its first picture came. */
                            started_at: string | null;
                            stopped_at: string | null;
                            stop_reason: string | null;
                            /** @description What went wrong; while reconnecting, what is wrong now. */
                            error: string | null;
                            /** @description What is wrong now, with the source, the telemetry or an output; null when all is well. */
                            problem: string | null;
                            /** @description When its last picture was decoded; null before the first. */
                            last_frame_at: string | null;
                            /** @description Since then; null also when it has ended. */
                            last_frame_age_ms: number | null;
                            model: string;
                            confidence: number | null;
                            classes: string[] | null;
                            tracking: boolean;
                            tiles: string;
                            /** @description What `tiles=auto` has chosen; null otherwise. */
                            tiling: {
                                grid: string;
                                /** @description Pixels that the model sees for each pixel of the picture. */
                                scale: number;
                                /** @description How often it looks at one picture. */
                                looks: number;
                                /** @description Why, and what was assumed. */
                                reason: string;
                            } | null;
                            /** @enum {string} */
                            pace: "realtime" | "fast";
                            /** @enum {string} */
                            when: "now" | "live";
                            /** @description It begins each time that video comes. */
                            again: boolean;
                            /** @enum {string} */
                            priority: "low" | "normal" | "high";
                            /** @description What its node must have. */
                            labels: string[];
                            /** @description Empty where the source belongs to somebody else. */
                            outputs: {
                                /** Format: uuid */
                                output_uuid: string;
                                alias: string;
                                type: string;
                                settings: string | null;
                                /** @description `waiting` is between two tries. */
                                state: ("connecting" | "sending" | "waiting") | null;
                                /** @description What is wrong with it now. */
                                error: string | null;
                            }[];
                            restarts: number;
                            telemetry: {
                                type: string;
                                format: string;
                                /** @description When the last good message came; null before the first. */
                                last_at: string | null;
                                /** @description Since the last good message; null before the first. */
                                age_ms: number | null;
                                /** @description How long messages take to arrive, by their own times. */
                                delay_ms: number | null;
                                /** @description What places messages in time: their own timestamps, or their arrival while those cannot be right. Null before the first. */
                                clock: ("sender" | "arrival") | null;
                                /** @description Why it is the arrival; null otherwise. */
                                clock_note: string | null;
                                /** @description Messages that were not used, by reason. */
                                rejected: {
                                    [key: string]: number;
                                };
                                /** @description What is wrong now: with the channel, or that nothing good comes by it. */
                                error: string | null;
                            } | null;
                            stats: {
                                input_fps: number;
                                processed_fps: number;
                                dropped_frames: number;
                                decode_errors: number;
                                inference_ms_p50: number | null;
                                inference_ms_p95: number | null;
                                latency_ms_p50: number | null;
                                latency_ms_p95: number | null;
                                latency_ms_p99: number | null;
                                consumed_seconds: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/detection_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Websocket of detection messages, for one client at a time */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Each text frame is one such message. */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description When the frame was taken, UTC. */
                            timestamp: string;
                            /** @description Empty where the source belongs to somebody else. */
                            source_uri: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description Counts up by one; a gap tells of messages that this client was too slow for. */
                            sequence: number;
                            frame: {
                                width: number;
                                height: number;
                                /** @description Seconds on the stream’s own time line. */
                                pts: number;
                                rtp_timestamp: number | null;
                            };
                            active_tracks: {
                                /** @description 0 when tracking is off; never used twice in a process. */
                                track_id: number;
                                class_id: number;
                                class_name: string;
                                /** @description [x, y, width, height] in pixels of the input. */
                                bbox: number[];
                                /** @description The same as fractions of the input’s width and height. */
                                scaled_bbox: number[];
                                /** @description 0 to 100. */
                                confidence: number;
                                latitude?: number;
                                longitude?: number;
                                /** @description Metres above mean sea level. */
                                altitude?: number;
                                /** @description Metres from the camera. */
                                distance?: number;
                                /** @description Degrees from the optical axis, positive to the right. */
                                azimuth?: number;
                                /** @description Degrees from the optical axis, positive up. */
                                elevation?: number;
                                /** @description One standard deviation. */
                                position_error_m?: number;
                                /**
                                 * @description How the distance was found.
                                 * @enum {string}
                                 */
                                position_source?: "ground" | "terrain" | "size" | "laser";
                                /** @description Metres a second. */
                                ground_speed?: number;
                                /** @description Degrees from north; not while it stands. */
                                course?: number;
                                /** @description Of the oldest value that was used. */
                                telemetry_age_ms?: number;
                            }[];
                            /** @description With telemetry that tells the whole pose. */
                            camera?: {
                                latitude: number;
                                longitude: number;
                                /** @description Metres above mean sea level. */
                                altitude: number;
                                /** @description Degrees from north. */
                                heading: number;
                                /** @description [latitude, longitude] of what it sees of the ground: near left, near right, far right, far left. */
                                footprint: number[][];
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The same messages as server-sent events, for up to 100 clients */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comma-separated, what else is sent: `alerts` are `event: alert`, what alerts notify of; `telemetry` is `event: telemetry`, where the camera is, twice a second at most. */
                    with?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/processes/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The messages of several processes as server-sent events: browsers open few connections at a time */
        get: {
            parameters: {
                query: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comma-separated, what else is sent: `alerts` are `event: alert`, what alerts notify of; `telemetry` is `event: telemetry`, where the camera is, twice a second at most. */
                    with?: string;
                    /** @description Comma-separated, up to 50. */
                    process_uuids: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/video/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download processed video by its link */
        get: {
            parameters: {
                query?: {
                    /** @description Comes with the video_url. */
                    token?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the models */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            name: string;
                            is_default: boolean;
                            /** @description False for the models that come with the service. */
                            is_brought: boolean;
                            /** @description How far it can be trusted; null for models that users bring. */
                            status: ("stable" | "beta" | "experimental") | null;
                            /** @description For what it is the right choice. */
                            use_when: string | null;
                            /**
                             * @description What suits it as `tiles` of `/start`, which takes it when they are left out: `auto` where its objects are usually small.
                             * @enum {string}
                             */
                            suggested_tiles: "auto" | "1x1";
                            family: string;
                            /** @description Null when only the model’s file says it. */
                            input: {
                                width: number;
                                height: number;
                            } | null;
                            licence: string;
                            attribution: string | null;
                            description: string | null;
                            /** @description Null for models that users bring. */
                            accuracy: {
                                /** @description Percent, as its authors published it. */
                                published_coco_map: number | null;
                                /** @description Measured on PETS 2009 S2.L1 at an overlap of 0.5. */
                                people: {
                                    average_precision: number;
                                    recall_at_30: number;
                                    precision_at_30: number;
                                } | null;
                                /** @description Average precision by class at an overlap of 0.5, on pictures that it was not trained on. */
                                measured: {
                                    on: string;
                                    average_precision: {
                                        [key: string]: number;
                                    };
                                }[];
                            } | null;
                            /** @description For one look on two idle cores of a Neoverse-N1, so that models can be compared before they are used; null for models that users bring. */
                            reference_speed: {
                                one_thread_ms: number;
                                two_threads_ms: number;
                            } | null;
                            /**
                             * @description The CPU, or the accelerator of `AERIE_INFERENCE`, which only models that users bring can use.
                             * @enum {string}
                             */
                            computed_by: "cpu" | "cuda" | "tensorrt" | "webgpu" | "openvino";
                            /** @description Measured on this machine when it was last used; null before that. */
                            speed: {
                                inference_ms_p50: number;
                                inference_ms_p95: number;
                                threads: number;
                                measured_at: string;
                            } | null;
                            classes: {
                                class_id: number;
                                class_name: string;
                            }[];
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The track report of a process */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description How far back the report goes, 10 unless said otherwise: from now, or from the last frame of a process that has ended. Not with `from` or `to`. */
                    time_window_minutes?: number;
                    /** @description What was there at this time or after it: ISO 8601 with its zone, as in 2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00. */
                    from?: string;
                    /** @description What was there before this time. A range without `from`, or without `to`, is open on that side. */
                    to?: string;
                    /** @description Adds `latlon_history`. */
                    history?: "true" | "false";
                    /** @description `false` leaves the pictures out. */
                    patches?: "true" | "false";
                    /** @description Another form than the report’s own: for maps, spreadsheets, or trackers’ evaluations. */
                    format?: "json" | "geojson" | "kml" | "csv" | "mot";
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The report, in the format that was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description POSIX time, seconds: when it was asked for, or of the latest thing seen where that is later. */
                            report_time: number;
                            /** @description The same as `report_time`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                            reported_at: string;
                            /** @description How long the window is; begun minutes count. */
                            time_window_minutes: number;
                            /** @description Where the window begins; null: with the process. */
                            from: string | null;
                            /** @description What was seen before this; null: up to the latest. */
                            to: string | null;
                            tracks: {
                                track_id: number;
                                class_id: number;
                                /** @description The class that it was seen as most surely over its whole life. */
                                category_name: string;
                                /** @description The same as `category_name`, by the name that it has everywhere else. */
                                class_name: string;
                                /** @description [x, y, width, height] in pixels of the input; the last one. */
                                bbox: number[];
                                /** @description In the window, as are the next three and the timestamps. */
                                list_confidences: number[];
                                max_confidence: number;
                                min_confidence: number;
                                mean_confidence: number;
                                /** @description The best picture of it; none when there is none, or with `patches=false`. */
                                image_patches: {
                                    /** @description JPEG, base64. */
                                    image: string;
                                    confidence: number;
                                    /** @description POSIX time, seconds. */
                                    timestamp: number;
                                }[];
                                timestamps: number[];
                                /** @description Whether it is seen now. */
                                is_live: boolean;
                                /** @description POSIX time, seconds. */
                                first_seen: number;
                                /** @description POSIX time, seconds. */
                                last_seen: number;
                                /** @description The same as `first_seen`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                                first_seen_at: string;
                                /** @description The same as `last_seen`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                                last_seen_at: string;
                                first_location: {
                                    latitude: number;
                                    longitude: number;
                                    /** @description Metres above mean sea level. */
                                    altitude: number;
                                    /** @description POSIX time, seconds. */
                                    timestamp: number;
                                } | null;
                                last_location: {
                                    latitude: number;
                                    longitude: number;
                                    /** @description Metres above mean sea level. */
                                    altitude: number;
                                    /** @description POSIX time, seconds. */
                                    timestamp: number;
                                } | null;
                                /** @description [latitude, longitude] in the window; only with `history=true`. */
                                latlon_history?: number[][];
                                /** @description Only in a report that has been enhanced. */
                                enhanced_data?: {
                                    vehicle_type: string | null;
                                    color: {
                                        name: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    plate: {
                                        text: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    upper_color: {
                                        name: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    lower_color: {
                                        name: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    kind: string | null;
                                    /** @description Of what flies, where its distance was measured; null where that was guessed from the usual size of its class. */
                                    estimated_size_m: number | null;
                                    /** @description Of what flies: from the camera, by whatever way it was found; the median over its life. */
                                    distance_m: number | null;
                                };
                            }[];
                        };
                        "application/geo+json": string;
                        "application/vnd.google-earth.kml+xml": string;
                        "text/csv": string;
                        "text/plain": string;
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** The track report of a process, as by GET */
        post: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description How far back the report goes, 10 unless said otherwise: from now, or from the last frame of a process that has ended. Not with `from` or `to`. */
                    time_window_minutes?: number;
                    /** @description What was there at this time or after it: ISO 8601 with its zone, as in 2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00. */
                    from?: string;
                    /** @description What was there before this time. A range without `from`, or without `to`, is open on that side. */
                    to?: string;
                    /** @description Adds `latlon_history`. */
                    history?: "true" | "false";
                    /** @description `false` leaves the pictures out. */
                    patches?: "true" | "false";
                    /** @description Another form than the report’s own: for maps, spreadsheets, or trackers’ evaluations. */
                    format?: "json" | "geojson" | "kml" | "csv" | "mot";
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The report, in the format that was asked for */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description POSIX time, seconds: when it was asked for, or of the latest thing seen where that is later. */
                            report_time: number;
                            /** @description The same as `report_time`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                            reported_at: string;
                            /** @description How long the window is; begun minutes count. */
                            time_window_minutes: number;
                            /** @description Where the window begins; null: with the process. */
                            from: string | null;
                            /** @description What was seen before this; null: up to the latest. */
                            to: string | null;
                            tracks: {
                                track_id: number;
                                class_id: number;
                                /** @description The class that it was seen as most surely over its whole life. */
                                category_name: string;
                                /** @description The same as `category_name`, by the name that it has everywhere else. */
                                class_name: string;
                                /** @description [x, y, width, height] in pixels of the input; the last one. */
                                bbox: number[];
                                /** @description In the window, as are the next three and the timestamps. */
                                list_confidences: number[];
                                max_confidence: number;
                                min_confidence: number;
                                mean_confidence: number;
                                /** @description The best picture of it; none when there is none, or with `patches=false`. */
                                image_patches: {
                                    /** @description JPEG, base64. */
                                    image: string;
                                    confidence: number;
                                    /** @description POSIX time, seconds. */
                                    timestamp: number;
                                }[];
                                timestamps: number[];
                                /** @description Whether it is seen now. */
                                is_live: boolean;
                                /** @description POSIX time, seconds. */
                                first_seen: number;
                                /** @description POSIX time, seconds. */
                                last_seen: number;
                                /** @description The same as `first_seen`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                                first_seen_at: string;
                                /** @description The same as `last_seen`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                                last_seen_at: string;
                                first_location: {
                                    latitude: number;
                                    longitude: number;
                                    /** @description Metres above mean sea level. */
                                    altitude: number;
                                    /** @description POSIX time, seconds. */
                                    timestamp: number;
                                } | null;
                                last_location: {
                                    latitude: number;
                                    longitude: number;
                                    /** @description Metres above mean sea level. */
                                    altitude: number;
                                    /** @description POSIX time, seconds. */
                                    timestamp: number;
                                } | null;
                                /** @description [latitude, longitude] in the window; only with `history=true`. */
                                latlon_history?: number[][];
                                /** @description Only in a report that has been enhanced. */
                                enhanced_data?: {
                                    vehicle_type: string | null;
                                    color: {
                                        name: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    plate: {
                                        text: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    upper_color: {
                                        name: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    lower_color: {
                                        name: string;
                                        /** @description From 0 to 1, unlike those of detections, which are percent. */
                                        confidence: number;
                                    } | null;
                                    kind: string | null;
                                    /** @description Of what flies, where its distance was measured; null where that was guessed from the usual size of its class. */
                                    estimated_size_m: number | null;
                                    /** @description Of what flies: from the camera, by whatever way it was found; the median over its life. */
                                    distance_m: number | null;
                                };
                            }[];
                        };
                        "application/geo+json": string;
                        "application/vnd.google-earth.kml+xml": string;
                        "text/csv": string;
                        "text/plain": string;
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /** Delete the report of a process; one that goes on begins a new report */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracked_processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List processes that have a track report */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Of the source; null once it is removed. */
                            alias: string | null;
                            started_at: string | null;
                            stopped_at: string | null;
                            track_count: number;
                            enhancement_status: ("RUNNING" | "FINISHED" | "FAILED") | null;
                            /** @description The processed video, for keys with process recording; works for a day. */
                            video_url: string | null;
                            /** @description Every file of it: a process that was interrupted has several. */
                            video_urls: string[];
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decorate_tracks/{process_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Enhance the report of a process that has ended: types, colours, plates */
        post: {
            parameters: {
                query?: {
                    /** @description Does it anew also if it has been done. */
                    again?: "true" | "false";
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/decorate_tracks/{process_uuid}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far the enhancement of a report is */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            status: "RUNNING" | "FINISHED" | "FAILED";
                            /** @description Why it failed. */
                            reason: string | null;
                            started_at: string;
                            ended_at: string | null;
                            tracks_done: number;
                            tracks_total: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /** How far the enhancement of a report is, as by GET */
        post: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {string} */
                            status: "RUNNING" | "FINISHED" | "FAILED";
                            /** @description Why it failed. */
                            reason: string | null;
                            started_at: string;
                            ended_at: string | null;
                            tracks_done: number;
                            tracks_total: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find tracks by time, source, class or place; those that were first seen last come first
         * @description Where little matches, a page may have fewer tracks than `limit`, or none, and still a next one: the `Link` header says whether there is.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description What was there at this time or after it: ISO 8601 with its zone, as in 2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00. */
                    from?: string;
                    /** @description What was there before this time. A range without `from`, or without `to`, is open on that side. */
                    to?: string;
                    source_uuid?: string;
                    /** @description Comma-separated, up to 50: of any of these sources. */
                    source_uuids?: string;
                    process_uuid?: string;
                    /** @description A class as `class_name` has it, such as `person`. */
                    class?: string;
                    /** @description Comma-separated, up to 50: of any of these classes. */
                    classes?: string;
                    /** @description Of its paint, or of what a person wears, as the enhancement saw it. */
                    color?: string;
                    /** @description How the plate begins that the enhancement read; spaces and hyphens do not count. */
                    plate?: string;
                    /** @description Of `max_confidence`. */
                    min_confidence?: number;
                    /** @description How long it was seen, from first to last. */
                    min_seconds?: number;
                    /** @description `latitude,longitude,radius_m`: tracks whose first or last known location is at most so many metres away (up to 100000). */
                    near?: string;
                    /** @description `true` adds the pictures; `limit` is 100 at the most then. */
                    patches?: "true" | "false";
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Of the source; null once it is removed. */
                            alias: string | null;
                            /** @description The same, as everywhere else. */
                            source_alias: string | null;
                            track_id: number;
                            class_id: number;
                            /** @description The class that it was seen as most surely over its whole life. */
                            category_name: string;
                            /** @description The same as `category_name`, by the name that it has everywhere else. */
                            class_name: string;
                            /** @description Over its whole life; null for tracks of before an upgrade. */
                            max_confidence: number | null;
                            /** @description POSIX time, seconds. */
                            first_seen: number;
                            /** @description POSIX time, seconds. */
                            last_seen: number;
                            /** @description The same as `first_seen`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                            first_seen_at: string;
                            /** @description The same as `last_seen`, as `YYYY-MM-DDTHH:MM:SS.mmmZ`. */
                            last_seen_at: string;
                            first_location: {
                                latitude: number;
                                longitude: number;
                                /** @description Metres above mean sea level. */
                                altitude: number;
                                /** @description POSIX time, seconds. */
                                timestamp: number;
                            } | null;
                            last_location: {
                                latitude: number;
                                longitude: number;
                                /** @description Metres above mean sea level. */
                                altitude: number;
                                /** @description POSIX time, seconds. */
                                timestamp: number;
                            } | null;
                            /** @description null before any enhancement. */
                            enhanced_data: {
                                vehicle_type: string | null;
                                color: {
                                    name: string;
                                    /** @description From 0 to 1, unlike those of detections, which are percent. */
                                    confidence: number;
                                } | null;
                                plate: {
                                    text: string;
                                    /** @description From 0 to 1, unlike those of detections, which are percent. */
                                    confidence: number;
                                } | null;
                                upper_color: {
                                    name: string;
                                    /** @description From 0 to 1, unlike those of detections, which are percent. */
                                    confidence: number;
                                } | null;
                                lower_color: {
                                    name: string;
                                    /** @description From 0 to 1, unlike those of detections, which are percent. */
                                    confidence: number;
                                } | null;
                                kind: string | null;
                                /** @description Of what flies, where its distance was measured; null where that was guessed from the usual size of its class. */
                                estimated_size_m: number | null;
                                /** @description Of what flies: from the camera, by whatever way it was found; the median over its life. */
                                distance_m: number | null;
                            } | null;
                            /** @description Whether there is a picture of it. */
                            has_patch: boolean;
                            /** @description The best picture of it; only with `patches=true`. */
                            image_patches?: {
                                /** @description JPEG, base64. */
                                image: string;
                                confidence: number;
                                /** @description POSIX time, seconds. */
                                timestamp: number;
                            }[];
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/tracks/{track_id}/picture.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The best picture of a track, by its link or with the key
         * @description As the report shows it. 202 with `Retry-After` while the first one may still come, for five seconds after the track was first seen.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comes with the picture_url, and stands for the key. */
                    token?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                    track_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": string;
                    };
                };
                /** @description It may still come: ask again after the time of `Retry-After`. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            retry_after_seconds: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cut a clip out of the recordings of a source
         * @description Of a stretch of time of at most an hour, of a process, of a track, or of an alert event. It is cut by itself, to the exact picture, and stays until it is deleted; GET /clip/{clip_uuid} says how far that is.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** Format: uuid */
                        source_uuid: string;
                        /** Format: date-time */
                        from: string;
                        /** Format: date-time */
                        to: string;
                        /**
                         * @description With what was seen drawn into the picture, which is encoded anew.
                         * @default false
                         */
                        with_boxes?: boolean;
                        /** @description Default: the alias of the source, and the time. */
                        alias?: string;
                    } | {
                        /** Format: uuid */
                        process_uuid: string;
                        /**
                         * Format: date-time
                         * @description Default: when it began.
                         */
                        from?: string;
                        /**
                         * Format: date-time
                         * @description Default: when it ended, or now.
                         */
                        to?: string;
                        /**
                         * @description With what was seen drawn into the picture, which is encoded anew.
                         * @default false
                         */
                        with_boxes?: boolean;
                        /** @description Default: the alias of the source, and the time. */
                        alias?: string;
                    } | {
                        /** Format: uuid */
                        process_uuid: string;
                        track_id: number;
                        /**
                         * @description With what was seen drawn into the picture, which is encoded anew.
                         * @default false
                         */
                        with_boxes?: boolean;
                        /** @description Default: the alias of the source, and the time. */
                        alias?: string;
                    } | {
                        /**
                         * Format: uuid
                         * @description As in the notification of an alert: from ten seconds before to ten seconds after.
                         */
                        event_uuid: string;
                        /**
                         * @description With what was seen drawn into the picture, which is encoded anew.
                         * @default false
                         */
                        with_boxes?: boolean;
                        /** @description Default: the alias of the source, and the time. */
                        alias?: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            alias: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            process_uuid: string | null;
                            track_id: number | null;
                            event_uuid: string | null;
                            from: string;
                            to: string;
                            with_boxes: boolean;
                            /** @enum {string} */
                            state: "waiting" | "working" | "ready" | "failed";
                            /** @description 0 to 100. */
                            progress: number;
                            /** @description Why it failed, or what it waits for. */
                            error: string | null;
                            /** @description What is to be known about it: of several parts, of what was not recorded. */
                            note: string | null;
                            /** @description Of the first part; null before it is ready. */
                            url: string | null;
                            /** @description Files, in the order of time; another begins where the format of the video changes. */
                            parts: {
                                /** @description For a day; it ends with the key. */
                                url: string;
                                from: string;
                                to: string;
                                /** @description Shorter than from `from` to `to` where something was not recorded. */
                                duration_seconds: number;
                                size_bytes: number;
                                sha256: string;
                                video: {
                                    codec: string;
                                    width: number;
                                    height: number;
                                    fps: number;
                                };
                            }[];
                            /** @description What was not recorded, and is left out. */
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            /** @description Before it is ready an estimate. */
                            size_bytes: number;
                            created_at: string;
                            finished_at: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clips": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List clips, the newest first */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Only of this source. */
                    source_uuid?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            alias: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            process_uuid: string | null;
                            track_id: number | null;
                            event_uuid: string | null;
                            from: string;
                            to: string;
                            with_boxes: boolean;
                            /** @enum {string} */
                            state: "waiting" | "working" | "ready" | "failed";
                            /** @description 0 to 100. */
                            progress: number;
                            /** @description Why it failed, or what it waits for. */
                            error: string | null;
                            /** @description What is to be known about it: of several parts, of what was not recorded. */
                            note: string | null;
                            /** @description Of the first part; null before it is ready. */
                            url: string | null;
                            /** @description Files, in the order of time; another begins where the format of the video changes. */
                            parts: {
                                /** @description For a day; it ends with the key. */
                                url: string;
                                from: string;
                                to: string;
                                /** @description Shorter than from `from` to `to` where something was not recorded. */
                                duration_seconds: number;
                                size_bytes: number;
                                sha256: string;
                                video: {
                                    codec: string;
                                    width: number;
                                    height: number;
                                    fps: number;
                                };
                            }[];
                            /** @description What was not recorded, and is left out. */
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            /** @description Before it is ready an estimate. */
                            size_bytes: number;
                            created_at: string;
                            finished_at: string | null;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clip/{clip_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a clip */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    clip_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            alias: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            process_uuid: string | null;
                            track_id: number | null;
                            event_uuid: string | null;
                            from: string;
                            to: string;
                            with_boxes: boolean;
                            /** @enum {string} */
                            state: "waiting" | "working" | "ready" | "failed";
                            /** @description 0 to 100. */
                            progress: number;
                            /** @description Why it failed, or what it waits for. */
                            error: string | null;
                            /** @description What is to be known about it: of several parts, of what was not recorded. */
                            note: string | null;
                            /** @description Of the first part; null before it is ready. */
                            url: string | null;
                            /** @description Files, in the order of time; another begins where the format of the video changes. */
                            parts: {
                                /** @description For a day; it ends with the key. */
                                url: string;
                                from: string;
                                to: string;
                                /** @description Shorter than from `from` to `to` where something was not recorded. */
                                duration_seconds: number;
                                size_bytes: number;
                                sha256: string;
                                video: {
                                    codec: string;
                                    width: number;
                                    height: number;
                                    fps: number;
                                };
                            }[];
                            /** @description What was not recorded, and is left out. */
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            /** @description Before it is ready an estimate. */
                            size_bytes: number;
                            created_at: string;
                            finished_at: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Delete a clip with its files, also while it is cut */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    clip_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Rename a clip */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    clip_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        alias: string;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            alias: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            process_uuid: string | null;
                            track_id: number | null;
                            event_uuid: string | null;
                            from: string;
                            to: string;
                            with_boxes: boolean;
                            /** @enum {string} */
                            state: "waiting" | "working" | "ready" | "failed";
                            /** @description 0 to 100. */
                            progress: number;
                            /** @description Why it failed, or what it waits for. */
                            error: string | null;
                            /** @description What is to be known about it: of several parts, of what was not recorded. */
                            note: string | null;
                            /** @description Of the first part; null before it is ready. */
                            url: string | null;
                            /** @description Files, in the order of time; another begins where the format of the video changes. */
                            parts: {
                                /** @description For a day; it ends with the key. */
                                url: string;
                                from: string;
                                to: string;
                                /** @description Shorter than from `from` to `to` where something was not recorded. */
                                duration_seconds: number;
                                size_bytes: number;
                                sha256: string;
                                video: {
                                    codec: string;
                                    width: number;
                                    height: number;
                                    fps: number;
                                };
                            }[];
                            /** @description What was not recorded, and is left out. */
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            /** @description Before it is ready an estimate. */
                            size_bytes: number;
                            created_at: string;
                            finished_at: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/clip/{clip_uuid}/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a part of a clip by its link */
        get: {
            parameters: {
                query?: {
                    /** @description Comes with the url. */
                    token?: string;
                };
                header?: never;
                path: {
                    clip_uuid: string;
                    file: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/tracks/{track_id}/clip.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A clip of a track, by its link or with the key
         * @description From two seconds before it was first seen to two seconds after it was last seen. Cut when it is first asked for, and kept until nobody has asked for it for a day. Usually one call is enough; 202 with `Retry-After` where it takes longer.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comes with the clip_url, and stands for the key. */
                    token?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                    track_id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The clip */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "video/mp4": string;
                    };
                };
                /** @description It is being cut: ask again after the time of `Retry-After`. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            alias: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            process_uuid: string | null;
                            track_id: number | null;
                            event_uuid: string | null;
                            from: string;
                            to: string;
                            with_boxes: boolean;
                            /** @enum {string} */
                            state: "waiting" | "working" | "ready" | "failed";
                            /** @description 0 to 100. */
                            progress: number;
                            /** @description Why it failed, or what it waits for. */
                            error: string | null;
                            /** @description What is to be known about it: of several parts, of what was not recorded. */
                            note: string | null;
                            /** @description Of the first part; null before it is ready. */
                            url: string | null;
                            /** @description Files, in the order of time; another begins where the format of the video changes. */
                            parts: {
                                /** @description For a day; it ends with the key. */
                                url: string;
                                from: string;
                                to: string;
                                /** @description Shorter than from `from` to `to` where something was not recorded. */
                                duration_seconds: number;
                                size_bytes: number;
                                sha256: string;
                                video: {
                                    codec: string;
                                    width: number;
                                    height: number;
                                    fps: number;
                                };
                            }[];
                            /** @description What was not recorded, and is left out. */
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            /** @description Before it is ready an estimate. */
                            size_bytes: number;
                            created_at: string;
                            finished_at: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert_event/{event_uuid}/clip.mp4": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A clip of an alert event, by its link or with the key
         * @description From ten seconds before it began to ten seconds after. Cut when it is first asked for, and kept until nobody has asked for it for a day. Usually one call is enough; 202 with `Retry-After` where it takes longer.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comes with the clip_url, and stands for the key. */
                    token?: string;
                };
                header?: never;
                path: {
                    event_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The clip */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "video/mp4": string;
                    };
                };
                /** @description It is being cut: ask again after the time of `Retry-After`. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            clip_uuid: string;
                            alias: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            process_uuid: string | null;
                            track_id: number | null;
                            event_uuid: string | null;
                            from: string;
                            to: string;
                            with_boxes: boolean;
                            /** @enum {string} */
                            state: "waiting" | "working" | "ready" | "failed";
                            /** @description 0 to 100. */
                            progress: number;
                            /** @description Why it failed, or what it waits for. */
                            error: string | null;
                            /** @description What is to be known about it: of several parts, of what was not recorded. */
                            note: string | null;
                            /** @description Of the first part; null before it is ready. */
                            url: string | null;
                            /** @description Files, in the order of time; another begins where the format of the video changes. */
                            parts: {
                                /** @description For a day; it ends with the key. */
                                url: string;
                                from: string;
                                to: string;
                                /** @description Shorter than from `from` to `to` where something was not recorded. */
                                duration_seconds: number;
                                size_bytes: number;
                                sha256: string;
                                video: {
                                    codec: string;
                                    width: number;
                                    height: number;
                                    fps: number;
                                };
                            }[];
                            /** @description What was not recorded, and is left out. */
                            gaps: {
                                start: string;
                                duration_seconds: number;
                            }[];
                            /** @description Before it is ready an estimate. */
                            size_bytes: number;
                            created_at: string;
                            finished_at: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evidence_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public key that packages of evidence are signed with */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            algorithm: "Ed25519";
                            /** @description PEM: what `aerie verify --key` takes. */
                            public_key: string;
                            /** @description SHA-256 of the key as DER, in hexadecimal digits. */
                            fingerprint: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pack clips and what was seen in them, so that nobody can change them unnoticed
         * @description A zip, sent while it is made: with the reports of the processes that were on the sources of the clips in their time, with settings, versions, and a signed list of all files. The connection is cut when a clip is deleted meanwhile.
         */
        get: {
            parameters: {
                query: {
                    /** @description The clips, by their ids with commas between them: up to 50. */
                    clip_uuid: string;
                    /** @description `false`: without what was seen in the time of the clips, which needs the right `events` on their sources. */
                    reports?: "true" | "false";
                    /** @description What the package is called; part of its file name. */
                    alias?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A zip with a signed manifest; `aerie verify` says whether anything in it was changed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/zip": string;
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Websocket into which telemetry is sent, one JSON message a text frame */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/drone_data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Websocket of telemetry as it was received, for one client at a time */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Each text frame is one such message. */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description Unix seconds, as its sender gave it. */
                            timestamp: number;
                            latitude?: number;
                            longitude?: number;
                            altitude?: number;
                            rel_altitude?: number;
                            speed?: number;
                            sensor_hfov?: number;
                            sensor_vfov?: number;
                            camera_pitch?: number;
                            camera_yaw?: number;
                            camera_roll?: number;
                            drone_pitch?: number;
                            drone_yaw?: number;
                            drone_roll?: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/output": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register an output; the same one again answers the existing one */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias: string;
                        /** @enum {string} */
                        type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                        /** @description rtsp: `rtsp://<stream_path>`, which is then served at rtsp://<host>:8554/<username>/<stream_path>, and with a certificate at rtsps://<host>:8322/<username>/<stream_path> too. rtmp: `rtmp://<host>:<port>/<stream_path>` of a server of yours. None for websockets. */
                        url?: string;
                        /**
                         * @description Lines of the picture; null keeps the input’s resolution.
                         * @default null
                         */
                        settings?: ("360p" | "720p" | "1080p") | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                            /** @description As registered; passwords and keys are masked, names of streams are not. */
                            url: string | null;
                            settings: ("360p" | "720p" | "1080p") | null;
                            /** @description The process that it is attached to. */
                            process_uuid: string | null;
                            created_at: string;
                        };
                    };
                };
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                            /** @description As registered; passwords and keys are masked, names of streams are not. */
                            url: string | null;
                            settings: ("360p" | "720p" | "1080p") | null;
                            /** @description The process that it is attached to. */
                            process_uuid: string | null;
                            created_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/outputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List outputs */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "rtsp" | "rtmp" | "detection_data" | "drone_data";
                            /** @description As registered; passwords and keys are masked, names of streams are not. */
                            url: string | null;
                            settings: ("360p" | "720p" | "1080p") | null;
                            /** @description The process that it is attached to. */
                            process_uuid: string | null;
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/output/{output_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an output */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    output_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/{output_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Attach an output to a process */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                    output_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description Where to play or connect, as it stands. For rtsp: encrypted where there is a certificate. */
                            url: string;
                            /** @description For rtsp, where `url` is encrypted and the plain port is open too: for players without TLS. */
                            plain_url?: string;
                            /** @description For rtsp: plays as it stands. */
                            hls_url: string | null;
                            /** @description For rtsp: a page that plays it. */
                            webrtc_url: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        /** Detach an output from a process */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                    output_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            output_uuid: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {boolean} */
                            detached: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/process/{process_uuid}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The processed picture as motion JPEG, for quick looks */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscribe/{process_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Subscribe a url to events of a process */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description Where notifications are posted. */
                        notification_url: string;
                        /**
                         * @description new-tracks: tracks that were not told before. target-count: another number of targets. process-state. minutes-low: once, when less than a day of the key’s minutes is left.
                         * @default new-tracks
                         * @enum {string}
                         */
                        event_type?: "new-tracks" | "target-count" | "process-state" | "minutes-low";
                        /** @description For receivers that need a login: a POST here answers JSON with an access_token or a token. */
                        auth_url?: string | null;
                        /**
                         * @default backoff
                         * @enum {string}
                         */
                        notifier_policy_type?: "backoff";
                        /**
                         * @default {
                         *       "backoff_seconds": 5
                         *     }
                         */
                        notifier_policy_args?: {
                            /**
                             * @description At least so long between the receiver’s answer and the next notification; what happens meanwhile is told together.
                             * @default 5
                             */
                            backoff_seconds?: number;
                        };
                        /**
                         * @default simple
                         * @enum {string}
                         */
                        notification_format?: "simple" | "full";
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            subscription_uuid: string;
                            /** @description Passwords and keys are masked. */
                            notification_url: string;
                            /** @enum {string} */
                            event_type: "new-tracks" | "target-count" | "process-state" | "minutes-low";
                            /** @enum {string} */
                            notification_format: "simple" | "full";
                            /** @enum {string} */
                            notifier_policy_type: "backoff";
                            notifier_policy_args: {
                                backoff_seconds: number;
                            };
                            auth_url: string | null;
                            created_at: string;
                            last_delivery_at: string | null;
                            /** @description When its process ended; it is listed until nothing waits any more. */
                            ended_at: string | null;
                            /** @description Notifications that wait to be delivered. */
                            pending: number;
                            /** @description `whsec_…`, what notifications are signed with (Standard Webhooks). Shown only now. */
                            secret: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{process_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the subscriptions of a process that goes on, or for which something still waits */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            subscription_uuid: string;
                            /** @description Passwords and keys are masked. */
                            notification_url: string;
                            /** @enum {string} */
                            event_type: "new-tracks" | "target-count" | "process-state" | "minutes-low";
                            /** @enum {string} */
                            notification_format: "simple" | "full";
                            /** @enum {string} */
                            notifier_policy_type: "backoff";
                            notifier_policy_args: {
                                backoff_seconds: number;
                            };
                            auth_url: string | null;
                            created_at: string;
                            last_delivery_at: string | null;
                            /** @description When its process ended; it is listed until nothing waits any more. */
                            ended_at: string | null;
                            /** @description Notifications that wait to be delivered. */
                            pending: number;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove subscriptions: by uuid, url or event type, in the query or the body (all that are given must fit), or every one by all=true */
        delete: {
            parameters: {
                query?: {
                    /** @description As it is listed; a url is listed with its keys masked. */
                    subscription_uuid?: string;
                    notification_url?: string;
                    /** @description new-tracks: tracks that were not told before. target-count: another number of targets. process-state. minutes-low: once, when less than a day of the key’s minutes is left. */
                    event_type?: "new-tracks" | "target-count" | "process-state" | "minutes-low";
                    /** @description `true` removes every subscription of the process. */
                    all?: "true" | "false";
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /**
                         * Format: uuid
                         * @description As it is listed; a url is listed with its keys masked.
                         */
                        subscription_uuid?: string;
                        notification_url?: string;
                        /**
                         * @description new-tracks: tracks that were not told before. target-count: another number of targets. process-state. minutes-low: once, when less than a day of the key’s minutes is left.
                         * @enum {string}
                         */
                        event_type?: "new-tracks" | "target-count" | "process-state" | "minutes-low";
                    } | null;
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                            subscription_uuids: string[];
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{process_uuid}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what was delivered, what waits and what is dead, of ended processes too */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                    state?: "waiting" | "delivered" | "dead" | "dropped";
                };
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /**
                             * Format: uuid
                             * @description The same in the header `webhook-id`, however often it is sent.
                             */
                            webhook_id: string;
                            /** Format: uuid */
                            subscription_uuid: string;
                            notification_url: string;
                            /** @enum {string} */
                            event_type: "new-tracks" | "target-count" | "process-state" | "minutes-low";
                            /**
                             * @description delivered and dead (not within a day): can be sent again. dropped: too many were waiting.
                             * @enum {string}
                             */
                            state: "waiting" | "delivered" | "dead" | "dropped";
                            attempts: number;
                            /** @description What went wrong at the last attempt. */
                            error: string | null;
                            created_at: string;
                            delivered_at: string | null;
                            next_attempt_at: string | null;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/subscriptions/{process_uuid}/deliveries/{webhook_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a dead or delivered one again, with the same webhook-id */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                    webhook_id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            webhook_id: string;
                            /** @enum {string} */
                            state: "waiting";
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert_description": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What a type of alert does, how it is set up and what it tells */
        get: {
            parameters: {
                query?: {
                    /** @description Which type; without it all are told. */
                    alert_name?: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                    /** @description The same. */
                    name?: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @enum {string} */
                            name: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            description: string;
                            /** @description A JSON Schema (2020-12). */
                            trigger: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            region: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            filter: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            output: {
                                [key: string]: unknown;
                            };
                            /** @description A body for `POST /alert`. */
                            example: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            notification: {
                                [key: string]: unknown;
                            };
                        } | {
                            /** @enum {string} */
                            name: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            description: string;
                            /** @description A JSON Schema (2020-12). */
                            trigger: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            region: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            filter: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            output: {
                                [key: string]: unknown;
                            };
                            /** @description A body for `POST /alert`. */
                            example: {
                                [key: string]: unknown;
                            };
                            /** @description A JSON Schema (2020-12). */
                            notification: {
                                [key: string]: unknown;
                            };
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register an alert for all processes, running and to come */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "grid-density";
                        /** @default {} */
                        trigger?: {
                            /**
                             * @description So many in one cell, or more.
                             * @default 3
                             */
                            min_count?: number;
                            /**
                             * @description For so long.
                             * @default 2
                             */
                            for_seconds?: number;
                            /**
                             * @description What happens within this time after a notification comes together in the next one; 0 for each at once.
                             * @default 10
                             */
                            cooldown_seconds?: number;
                        };
                        /** @default {} */
                        parameters?: {
                            /** @description Default 4. */
                            rows?: number;
                            /** @description Default 4. */
                            columns?: number;
                            /** @description Instead of rows and columns: cells of so many metres that stay on the ground. Needs geolocation. */
                            cell_meters?: number;
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    } | {
                        /** @enum {string} */
                        type: "flow-control";
                        /**
                         * @description Without max_count and forbidden every crossing is told.
                         * @default {}
                         */
                        trigger?: {
                            /**
                             * @description The time over which crossings are counted.
                             * @default 60
                             */
                            window_seconds?: number;
                            /** @description More crossings of one line than this within the window are told, and when they are no longer more. */
                            max_count?: number;
                            /**
                             * @description Every crossing in this direction is told; left and right as seen looking from `from` to `to`.
                             * @enum {string}
                             */
                            forbidden?: "left_to_right" | "right_to_left";
                            /**
                             * @description What happens within this time after a notification comes together in the next one; 0 for each at once.
                             * @default 10
                             */
                            cooldown_seconds?: number;
                        };
                        /**
                         * @description By default one line up through the middle of the picture.
                         * @default {
                         *       "lines": [
                         *         {
                         *           "name": "middle",
                         *           "from": [
                         *             0.5,
                         *             1
                         *           ],
                         *           "to": [
                         *             0.5,
                         *             0
                         *           ]
                         *         }
                         *       ]
                         *     }
                         */
                        parameters?: {
                            lines: {
                                name: string;
                                /** @description [x, y] as fractions of the picture. */
                                from?: [
                                    number,
                                    number
                                ];
                                /** @description [x, y] as fractions of the picture. */
                                to?: [
                                    number,
                                    number
                                ];
                                /** @description [latitude, longitude] in degrees, WGS-84. */
                                geo_from?: [
                                    number,
                                    number
                                ];
                                /** @description [latitude, longitude] in degrees, WGS-84. */
                                geo_to?: [
                                    number,
                                    number
                                ];
                            }[];
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    } | {
                        /** @enum {string} */
                        type: "follow-track";
                        /** @default {} */
                        trigger?: {
                            /**
                             * @description Between updates.
                             * @default 1
                             */
                            interval_seconds?: number;
                        };
                        /** @default {} */
                        parameters?: {
                            /** @description Only this one. */
                            track_id?: number;
                            /**
                             * @description Whom to follow. Default: first.
                             * @enum {string}
                             */
                            select?: "first" | "largest" | "most_confident";
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    } | {
                        /** @enum {string} */
                        type: "filter-search";
                        /** @default {} */
                        trigger?: {
                            /**
                             * @description A track must match for so long.
                             * @default 1
                             */
                            for_seconds?: number;
                            /**
                             * @description What happens within this time after a notification comes together in the next one; 0 for each at once.
                             * @default 10
                             */
                            cooldown_seconds?: number;
                        };
                        /** @default {} */
                        parameters?: {
                            /**
                             * @description A small JPEG of each track goes along, and one of the whole picture with its box.
                             * @default false
                             */
                            with_image?: boolean;
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * Format: uuid
                             * @description The same as `uuid`, by the name that notifications and addresses have for it.
                             */
                            alert_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            /** @enum {string} */
                            status: "active" | "inactive";
                            /**
                             * @description `all`: looks at every process; `sources`: at those of `source_uuids`; `process`: one-off, at its process.
                             * @enum {string}
                             */
                            scope: "all" | "sources" | "process";
                            /** @description With scope `sources`; without those that were removed. Empty when all were: then it looks at nothing. */
                            source_uuids: string[] | null;
                            trigger: {
                                [key: string]: unknown;
                            };
                            region: {
                                [key: string]: unknown;
                            } | null;
                            filter: {
                                [key: string]: unknown;
                            };
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description Passwords, keys and secrets are masked, but for a secret that was made just now; sent back as they are, they stay what they were. */
                            output: {
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Some running pipeline still has it as it was before its last change. */
                            pending: boolean;
                            created_at: string;
                            updated_at: string;
                            /** @description Of a one-off alert, the process that it lives with; null for registered ones. */
                            process_uuid: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/{process_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a one-off alert that lives with one process */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    process_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "grid-density";
                        /** @default {} */
                        trigger?: {
                            /**
                             * @description So many in one cell, or more.
                             * @default 3
                             */
                            min_count?: number;
                            /**
                             * @description For so long.
                             * @default 2
                             */
                            for_seconds?: number;
                            /**
                             * @description What happens within this time after a notification comes together in the next one; 0 for each at once.
                             * @default 10
                             */
                            cooldown_seconds?: number;
                        };
                        /** @default {} */
                        parameters?: {
                            /** @description Default 4. */
                            rows?: number;
                            /** @description Default 4. */
                            columns?: number;
                            /** @description Instead of rows and columns: cells of so many metres that stay on the ground. Needs geolocation. */
                            cell_meters?: number;
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    } | {
                        /** @enum {string} */
                        type: "flow-control";
                        /**
                         * @description Without max_count and forbidden every crossing is told.
                         * @default {}
                         */
                        trigger?: {
                            /**
                             * @description The time over which crossings are counted.
                             * @default 60
                             */
                            window_seconds?: number;
                            /** @description More crossings of one line than this within the window are told, and when they are no longer more. */
                            max_count?: number;
                            /**
                             * @description Every crossing in this direction is told; left and right as seen looking from `from` to `to`.
                             * @enum {string}
                             */
                            forbidden?: "left_to_right" | "right_to_left";
                            /**
                             * @description What happens within this time after a notification comes together in the next one; 0 for each at once.
                             * @default 10
                             */
                            cooldown_seconds?: number;
                        };
                        /**
                         * @description By default one line up through the middle of the picture.
                         * @default {
                         *       "lines": [
                         *         {
                         *           "name": "middle",
                         *           "from": [
                         *             0.5,
                         *             1
                         *           ],
                         *           "to": [
                         *             0.5,
                         *             0
                         *           ]
                         *         }
                         *       ]
                         *     }
                         */
                        parameters?: {
                            lines: {
                                name: string;
                                /** @description [x, y] as fractions of the picture. */
                                from?: [
                                    number,
                                    number
                                ];
                                /** @description [x, y] as fractions of the picture. */
                                to?: [
                                    number,
                                    number
                                ];
                                /** @description [latitude, longitude] in degrees, WGS-84. */
                                geo_from?: [
                                    number,
                                    number
                                ];
                                /** @description [latitude, longitude] in degrees, WGS-84. */
                                geo_to?: [
                                    number,
                                    number
                                ];
                            }[];
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    } | {
                        /** @enum {string} */
                        type: "follow-track";
                        /** @default {} */
                        trigger?: {
                            /**
                             * @description Between updates.
                             * @default 1
                             */
                            interval_seconds?: number;
                        };
                        /** @default {} */
                        parameters?: {
                            /** @description Only this one. */
                            track_id?: number;
                            /**
                             * @description Whom to follow. Default: first.
                             * @enum {string}
                             */
                            select?: "first" | "largest" | "most_confident";
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    } | {
                        /** @enum {string} */
                        type: "filter-search";
                        /** @default {} */
                        trigger?: {
                            /**
                             * @description A track must match for so long.
                             * @default 1
                             */
                            for_seconds?: number;
                            /**
                             * @description What happens within this time after a notification comes together in the next one; 0 for each at once.
                             * @default 10
                             */
                            cooldown_seconds?: number;
                        };
                        /** @default {} */
                        parameters?: {
                            /**
                             * @description A small JPEG of each track goes along, and one of the whole picture with its box.
                             * @default false
                             */
                            with_image?: boolean;
                        };
                        /**
                         * @description Where it counts: `polygon` in the picture (by the bottom centre of a box), or `geo_polygon` on the ground, which stays there while the camera moves. Null for everywhere.
                         * @default null
                         */
                        region?: ({
                            /** @enum {string} */
                            type: "polygon";
                            points: [
                                number,
                                number
                            ][];
                        } | {
                            /** @enum {string} */
                            type: "geo_polygon";
                            points: [
                                number,
                                number
                            ][];
                        }) | null;
                        /**
                         * @description What counts; all of it must hold.
                         * @default {}
                         */
                        filter?: {
                            /** @description Names of the only classes that count, as `GET /models` lists them. */
                            classes?: string[];
                            /** @description 0 to 100. */
                            min_confidence?: number;
                            /** @description Of the box, in pixels of the input. */
                            min_height_px?: number;
                            /** @description From the camera. Needs telemetry: what has no distance does not count. */
                            max_distance_m?: number;
                        };
                        /** @description Who is told. */
                        output: ({
                            /** @enum {string} */
                            type: "mqtt";
                            config: {
                                /** @description `host`, `host:port` (1883 by default), or a `mqtt://` or `mqtts://` URL. */
                                host: string;
                                topic: string;
                                username?: string;
                                /** @description Never shown again. */
                                password?: string;
                                /** @default 1 */
                                qos?: 0 | 1 | 2;
                                /** @default false */
                                retain?: boolean;
                            };
                        } | {
                            /** @enum {string} */
                            type: "webhook";
                            config: {
                                /** @description Receives every notification as a POST. */
                                url: string;
                                /** @description By which notifications are signed: `whsec_…`. Where it is left out one is made, and answered once. */
                                secret?: string;
                            };
                        } | {
                            /** @enum {string} */
                            type: "contact";
                            config: {
                                /**
                                 * Format: uuid
                                 * @description One of your own, as GET /contacts lists them: e-mail, ntfy, Telegram, web push.
                                 */
                                contact_uuid: string;
                            };
                        })[];
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @default active
                         * @enum {string}
                         */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * Format: uuid
                             * @description The same as `uuid`, by the name that notifications and addresses have for it.
                             */
                            alert_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            /** @enum {string} */
                            status: "active" | "inactive";
                            /**
                             * @description `all`: looks at every process; `sources`: at those of `source_uuids`; `process`: one-off, at its process.
                             * @enum {string}
                             */
                            scope: "all" | "sources" | "process";
                            /** @description With scope `sources`; without those that were removed. Empty when all were: then it looks at nothing. */
                            source_uuids: string[] | null;
                            trigger: {
                                [key: string]: unknown;
                            };
                            region: {
                                [key: string]: unknown;
                            } | null;
                            filter: {
                                [key: string]: unknown;
                            };
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description Passwords, keys and secrets are masked, but for a secret that was made just now; sent back as they are, they stay what they were. */
                            output: {
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Some running pipeline still has it as it was before its last change. */
                            pending: boolean;
                            created_at: string;
                            updated_at: string;
                            /** Format: uuid */
                            process_uuid: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List registered alerts, active or not */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * Format: uuid
                             * @description The same as `uuid`, by the name that notifications and addresses have for it.
                             */
                            alert_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            /** @enum {string} */
                            status: "active" | "inactive";
                            /**
                             * @description `all`: looks at every process; `sources`: at those of `source_uuids`; `process`: one-off, at its process.
                             * @enum {string}
                             */
                            scope: "all" | "sources" | "process";
                            /** @description With scope `sources`; without those that were removed. Empty when all were: then it looks at nothing. */
                            source_uuids: string[] | null;
                            trigger: {
                                [key: string]: unknown;
                            };
                            region: {
                                [key: string]: unknown;
                            } | null;
                            filter: {
                                [key: string]: unknown;
                            };
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description Passwords, keys and secrets are masked, but for a secret that was made just now; sent back as they are, they stay what they were. */
                            output: {
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Some running pipeline still has it as it was before its last change. */
                            pending: boolean;
                            created_at: string;
                            updated_at: string;
                            /** @description Of a one-off alert, the process that it lives with; null for registered ones. */
                            process_uuid: string | null;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/active/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List active alerts, each with every process that it is at */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * Format: uuid
                             * @description The same as `uuid`, by the name that notifications and addresses have for it.
                             */
                            alert_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            /** @enum {string} */
                            status: "active" | "inactive";
                            /**
                             * @description `all`: looks at every process; `sources`: at those of `source_uuids`; `process`: one-off, at its process.
                             * @enum {string}
                             */
                            scope: "all" | "sources" | "process";
                            /** @description With scope `sources`; without those that were removed. Empty when all were: then it looks at nothing. */
                            source_uuids: string[] | null;
                            trigger: {
                                [key: string]: unknown;
                            };
                            region: {
                                [key: string]: unknown;
                            } | null;
                            filter: {
                                [key: string]: unknown;
                            };
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description Passwords, keys and secrets are masked, but for a secret that was made just now; sent back as they are, they stay what they were. */
                            output: {
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Some running pipeline still has it as it was before its last change. */
                            pending: boolean;
                            created_at: string;
                            updated_at: string;
                            /** Format: uuid */
                            process_uuid: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description Lives with this process only. */
                            one_off: boolean;
                            /** @description Why it tells of nothing at this process, if so, and what to do. */
                            problem: string | null;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert/{alert_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Stop an alert everywhere and delete it for good */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    alert_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * Format: uuid
                             * @description The same as `uuid`, by the name that notifications and addresses have for it.
                             */
                            alert_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change an alert; what is left out stays as it is
         * @description A configuration field that is sent replaces the whole field. Running pipelines keep the old configuration (`pending`) until their next launch; with `force` they are launched anew at once.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description The same as in the body. */
                    force?: "true" | "false";
                };
                header?: never;
                path: {
                    alert_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias?: string;
                        /** @enum {string} */
                        status?: "active" | "inactive";
                        /** @description The only sources whose processes it looks at, by their source_uuid. Missing or null: all. */
                        source_uuids?: string[] | null;
                        /** @description Replaced as a whole; its fields are those of the type. */
                        trigger?: {
                            [key: string]: unknown;
                        };
                        region?: {
                            [key: string]: unknown;
                        } | null;
                        /** @description Replaced as a whole; its fields are those of the type. */
                        filter?: {
                            [key: string]: unknown;
                        };
                        /** @description Replaced as a whole; its fields are those of the type. */
                        parameters?: {
                            [key: string]: unknown;
                        };
                        /** @description Replaced as a whole. */
                        output?: {
                            [key: string]: unknown;
                        }[];
                        /** @description Launch running pipelines anew, so that the change takes effect at once. */
                        force?: boolean;
                        type?: unknown;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            uuid: string;
                            /**
                             * Format: uuid
                             * @description The same as `uuid`, by the name that notifications and addresses have for it.
                             */
                            alert_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            /** @enum {string} */
                            status: "active" | "inactive";
                            /**
                             * @description `all`: looks at every process; `sources`: at those of `source_uuids`; `process`: one-off, at its process.
                             * @enum {string}
                             */
                            scope: "all" | "sources" | "process";
                            /** @description With scope `sources`; without those that were removed. Empty when all were: then it looks at nothing. */
                            source_uuids: string[] | null;
                            trigger: {
                                [key: string]: unknown;
                            };
                            region: {
                                [key: string]: unknown;
                            } | null;
                            filter: {
                                [key: string]: unknown;
                            };
                            parameters: {
                                [key: string]: unknown;
                            };
                            /** @description Passwords, keys and secrets are masked, but for a secret that was made just now; sent back as they are, they stay what they were. */
                            output: {
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                            }[];
                            /** @description Some running pipeline still has it as it was before its last change. */
                            pending: boolean;
                            created_at: string;
                            updated_at: string;
                            /** @description Of a one-off alert, the process that it lives with; null for registered ones. */
                            process_uuid: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/alert_events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what alerts have notified of, the newest first
         * @description Kept for the `alert_retention_days` of the key, also when the alert, its process or its source are removed. An `update` of `follow-track` is not in it.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description What was there at this time or after it: ISO 8601 with its zone, as in 2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00. */
                    from?: string;
                    /** @description What was there before this time. A range without `from`, or without `to`, is open on that side. */
                    to?: string;
                    /** @description Only of this source. */
                    source_uuid?: string;
                    /** @description Comma-separated, up to 50: of any of these sources. */
                    source_uuids?: string;
                    /** @description Only of this alert, also of one that was deleted. */
                    alert_uuid?: string;
                    /** @description Comma-separated, up to 50: of any of these. */
                    alert_uuids?: string;
                    /** @description Comma-separated, up to 50: about tracks of any of these classes, or by an alert that looks for them. Events of before an upgrade name none. */
                    classes?: string;
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            event_uuid: string;
                            /** Format: uuid */
                            alert_uuid: string;
                            /** @description The alert’s, as it was then. */
                            alias: string;
                            /** @enum {string} */
                            type: "grid-density" | "flow-control" | "follow-track" | "filter-search";
                            /** @description As in the notification: `started`, `found`, … */
                            event: string;
                            /** Format: uuid */
                            source_uuid: string;
                            /** @description null once the source is removed. */
                            source_alias: string | null;
                            /** Format: uuid */
                            process_uuid: string;
                            /** @description When the frame was taken, UTC. */
                            at: string;
                            /** @description As in the notification, but without the pictures of `with_image`. */
                            data: {
                                [key: string]: unknown;
                            };
                            /** @description A link to a JPEG of what was seen, which works without a key for as long as AERIE_NOTIFICATION_LINK_HOURS says and ends with the key; 202 with `Retry-After` until the picture is there. */
                            picture_url: string | null;
                            /** @description A link to an MP4 of it, likewise, made when it is opened: 202 with `Retry-After` until it is there. null where nothing is recorded, as of files. */
                            clip_url: string | null;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert_event/{event_uuid}/picture.jpg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The picture of an alert event, by its link or with the key
         * @description The whole picture, long side at most 640, with the box of whom the event is about, or with all boxes. 202 with `Retry-After` while it may still come, for fifteen seconds after the event.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                    /** @description Comes with the picture_url, and stands for the key. */
                    token?: string;
                };
                header?: never;
                path: {
                    event_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The picture */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "image/jpeg": string;
                    };
                };
                /** @description It may still come: ask again after the time of `Retry-After`. */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            retry_after_seconds: number;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alert_event/{event_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an alert event with its picture */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    event_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            event_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Register a contact: e-mail, ntfy, Telegram, or web push to browsers */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @enum {string} */
                        type: "email";
                        config: {
                            /** @description The SMTP server that takes your mail. */
                            host: string;
                            /** @default 465 */
                            port?: number;
                            /**
                             * @description `tls`: encrypted from the first byte, mostly port 465. `starttls`: mostly 587; nothing is sent unless the server has it.
                             * @default tls
                             * @enum {string}
                             */
                            security?: "tls" | "starttls" | "none";
                            username?: string;
                            /** @description Never shown again. */
                            password?: string;
                            /** @description The sender. */
                            from: string;
                            to: string[];
                        };
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @description Then nothing is sent; what was held back is summed up in one message when they are over.
                         * @default null
                         */
                        quiet_hours?: {
                            from: string;
                            /** @description Over midnight where it is the earlier one. */
                            to: string;
                            /** @description IANA’s name: summer time is kept. */
                            time_zone: string;
                            /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                            days?: number[];
                        } | null;
                        /**
                         * @description What is more is held back, and summed up in one message when the minute is over.
                         * @default 6
                         */
                        max_per_minute?: number;
                    } | {
                        /** @enum {string} */
                        type: "ntfy";
                        config: {
                            /** @default https://ntfy.sh */
                            server?: string;
                            /** @description On a server without logins whoever knows it can read along: choose one that nobody guesses. */
                            topic: string;
                            /** @description An access token, `tk_…`. Never shown again. */
                            token?: string;
                            username?: string;
                            /** @description Never shown again. */
                            password?: string;
                            /** @description 1 makes no sound; 5 goes on until somebody looks. 3 by default. */
                            priority?: number;
                        };
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @description Then nothing is sent; what was held back is summed up in one message when they are over.
                         * @default null
                         */
                        quiet_hours?: {
                            from: string;
                            /** @description Over midnight where it is the earlier one. */
                            to: string;
                            /** @description IANA’s name: summer time is kept. */
                            time_zone: string;
                            /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                            days?: number[];
                        } | null;
                        /**
                         * @description What is more is held back, and summed up in one message when the minute is over.
                         * @default 6
                         */
                        max_per_minute?: number;
                    } | {
                        /** @enum {string} */
                        type: "telegram";
                        config: {
                            /** @description Never shown again. */
                            bot_token: string;
                            /** @description Where the bot writes: it must be a member there, or have been written to. */
                            chat_id: string;
                            /** @default https://api.telegram.org */
                            api_url?: string;
                        };
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @description Then nothing is sent; what was held back is summed up in one message when they are over.
                         * @default null
                         */
                        quiet_hours?: {
                            from: string;
                            /** @description Over midnight where it is the earlier one. */
                            to: string;
                            /** @description IANA’s name: summer time is kept. */
                            time_zone: string;
                            /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                            days?: number[];
                        } | null;
                        /**
                         * @description What is more is held back, and summed up in one message when the minute is over.
                         * @default 6
                         */
                        max_per_minute?: number;
                    } | {
                        /** @enum {string} */
                        type: "webpush";
                        /** @default {} */
                        config?: Record<string, never>;
                        /** @description A label of your choice. */
                        alias: string;
                        /**
                         * @description Then nothing is sent; what was held back is summed up in one message when they are over.
                         * @default null
                         */
                        quiet_hours?: {
                            from: string;
                            /** @description Over midnight where it is the earlier one. */
                            to: string;
                            /** @description IANA’s name: summer time is kept. */
                            time_zone: string;
                            /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                            days?: number[];
                        } | null;
                        /**
                         * @description What is more is held back, and summed up in one message when the minute is over.
                         * @default 6
                         */
                        max_per_minute?: number;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            contact_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "email" | "ntfy" | "telegram" | "webpush";
                            /** @description As it was sent, with `***` for passwords and tokens. */
                            config: {
                                [key: string]: unknown;
                            };
                            quiet_hours: {
                                from: string;
                                /** @description Over midnight where it is the earlier one. */
                                to: string;
                                /** @description IANA’s name: summer time is kept. */
                                time_zone: string;
                                /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                                days?: number[];
                            } | null;
                            max_per_minute: number;
                            /** @description Of `webpush`: the browsers that get it. */
                            devices: {
                                /** Format: uuid */
                                device_uuid: string;
                                name: string;
                                created_at: string;
                            }[];
                            status: {
                                /** @description Held back since the last sum. */
                                held: number;
                                last_sent_at: string | null;
                                /** @description Why the last message did not arrive, or who of several does not have it. */
                                problem: string | null;
                            };
                            created_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contacts */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            contact_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "email" | "ntfy" | "telegram" | "webpush";
                            /** @description As it was sent, with `***` for passwords and tokens. */
                            config: {
                                [key: string]: unknown;
                            };
                            quiet_hours: {
                                from: string;
                                /** @description Over midnight where it is the earlier one. */
                                to: string;
                                /** @description IANA’s name: summer time is kept. */
                                time_zone: string;
                                /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                                days?: number[];
                            } | null;
                            max_per_minute: number;
                            /** @description Of `webpush`: the browsers that get it. */
                            devices: {
                                /** Format: uuid */
                                device_uuid: string;
                                name: string;
                                created_at: string;
                            }[];
                            status: {
                                /** @description Held back since the last sum. */
                                held: number;
                                last_sent_at: string | null;
                                /** @description Why the last message did not arrive, or who of several does not have it. */
                                problem: string | null;
                            };
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact/{contact_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One contact */
        get: {
            parameters: {
                query?: {
                    /** @description A master may name a child of its own. */
                    username?: string;
                };
                header?: never;
                path: {
                    contact_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            contact_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "email" | "ntfy" | "telegram" | "webpush";
                            /** @description As it was sent, with `***` for passwords and tokens. */
                            config: {
                                [key: string]: unknown;
                            };
                            quiet_hours: {
                                from: string;
                                /** @description Over midnight where it is the earlier one. */
                                to: string;
                                /** @description IANA’s name: summer time is kept. */
                                time_zone: string;
                                /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                                days?: number[];
                            } | null;
                            max_per_minute: number;
                            /** @description Of `webpush`: the browsers that get it. */
                            devices: {
                                /** Format: uuid */
                                device_uuid: string;
                                name: string;
                                created_at: string;
                            }[];
                            status: {
                                /** @description Held back since the last sum. */
                                held: number;
                                last_sent_at: string | null;
                                /** @description Why the last message did not arrive, or who of several does not have it. */
                                problem: string | null;
                            };
                            created_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /** Remove a contact that no alert names */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    contact_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            contact_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Change a contact; what waits to be sent goes by what it is then */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    contact_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description A label of your choice. */
                        alias?: string;
                        /** @description Replaced as a whole; a secret that is sent as `***` stays what it was, unless it would go to another server. */
                        config?: {
                            [key: string]: unknown;
                        };
                        /** @description Then nothing is sent; what was held back is summed up in one message when they are over. */
                        quiet_hours?: {
                            from: string;
                            /** @description Over midnight where it is the earlier one. */
                            to: string;
                            /** @description IANA’s name: summer time is kept. */
                            time_zone: string;
                            /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                            days?: number[];
                        } | null;
                        /** @description What is more is held back, and summed up in one message when the minute is over. */
                        max_per_minute?: number;
                        type?: unknown;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            contact_uuid: string;
                            alias: string;
                            /** @enum {string} */
                            type: "email" | "ntfy" | "telegram" | "webpush";
                            /** @description As it was sent, with `***` for passwords and tokens. */
                            config: {
                                [key: string]: unknown;
                            };
                            quiet_hours: {
                                from: string;
                                /** @description Over midnight where it is the earlier one. */
                                to: string;
                                /** @description IANA’s name: summer time is kept. */
                                time_zone: string;
                                /** @description On which they begin, 1 (Monday) … 7; without any, every day. */
                                days?: number[];
                            } | null;
                            max_per_minute: number;
                            /** @description Of `webpush`: the browsers that get it. */
                            devices: {
                                /** Format: uuid */
                                device_uuid: string;
                                name: string;
                                created_at: string;
                            }[];
                            status: {
                                /** @description Held back since the last sum. */
                                held: number;
                                last_sent_at: string | null;
                                /** @description Why the last message did not arrive, or who of several does not have it. */
                                problem: string | null;
                            };
                            created_at: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/contact/{contact_uuid}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test now, whatever the quiet hours are */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    contact_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            delivered: boolean;
                            /** @description Why it did not arrive, or who of several does not have it. */
                            problem: string | null;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact/{contact_uuid}/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a browser to a contact by web push; the same one again is the same device */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    contact_uuid: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description By which you know the browser again. */
                        name: string;
                        /** @description As the browser has it: `subscription.endpoint`. */
                        endpoint: string;
                        /** @description As the browser has them. */
                        keys: {
                            p256dh: string;
                            auth: string;
                        };
                    };
                };
            };
            responses: {
                /** @description Default Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            device_uuid: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contact/{contact_uuid}/device/{device_uuid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a browser away from a contact */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    contact_uuid: string;
                    device_uuid: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            device_uuid: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/push_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key by which browsers know who may push to them */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description base64url, for `applicationServerKey` of `pushManager.subscribe`. */
                            public_key: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hls/{*}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a stream by HLS, live or recorded: /hls/<username>/<stream_path>/index.m3u8, …/vod.m3u8?from=&to=
         * @description `index.m3u8` is low-latency HLS, made on demand. The addresses in its playlists are for this viewing only.
         *
         *     `vod.m3u8?from=&to=` plays what was recorded of the stream between two times, at most 24 hours, as one even line of time: gaps are left out, and
         *     `EXT-X-PROGRAM-DATE-TIME` says when each part was. Without `to` until now, without `from` the hour before. The addresses in it work for 12 hours, for as long as
         *     the caller may watch the stream.
         */
        get: {
            parameters: {
                query?: {
                    /** @description What was there at this time or after it: ISO 8601 with its zone, as in 2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00. */
                    from?: string;
                    /** @description What was there before this time. A range without `from`, or without `to`, is open on that side. */
                    to?: string;
                    /** @description Of `vod.m3u8`: as what its pieces come. Without it: MP4, and MPEG-TS for FFmpeg before 7.1, which cannot seek in MP4. */
                    container?: "mp4" | "ts";
                    /** @description For players that cannot send headers. */
                    api_key?: string;
                    /** @description A read token of the source. */
                    token?: string;
                    /** @description In the addresses of a playlist: the node that made it. */
                    node?: string;
                    _HLS_msn?: string;
                    _HLS_part?: string;
                };
                header?: never;
                path: {
                    /** @description <username>/<stream_path>/index.m3u8, or …/vod.m3u8 */
                    "*": string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the nodes of this service */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description The node that gives this answer. */
                            answered_by: string;
                            /** @description A service of one node, without AERIE_NATS_URL: nobody could take over what it does. */
                            is_alone: boolean;
                            /** @description Whether your key may drain nodes and forget them: that of admin may. */
                            may_change: boolean;
                            /** @description By name. */
                            nodes: {
                                node: string;
                                /**
                                 * @description `draining`: it gives away what it has. `silent`: its lease is over; it is declared dead within seconds, or as soon as another node runs.
                                 * @enum {string}
                                 */
                                state: "alive" | "draining" | "silent" | "dead";
                                /** @description When it joined last. */
                                started_at: string;
                                version: string;
                                labels: string[];
                                /** @description As it measured it at the last renewal of its lease; null before that. */
                                load: {
                                    cores: number;
                                    free_cores: number;
                                    /** @description How many more streams fit with the default model, each looked at five times a second; null while nobody knows. */
                                    room: number | null;
                                } | null;
                                /** @description Those that go on there, of all keys. While it drains: those that are left. */
                                processes: number;
                                /** @description Of these, those of video files, which end where they began. */
                                files: number;
                                /** @description Those that it calls. */
                                cameras: number;
                                /** @description Those that are live there. */
                                streams: number;
                                /** @description Other nodes read its streams by RTSP; where they cannot, it pushes them. False of one that is alone. */
                                reached_by_rtsp: boolean;
                            }[];
                            /** @description What waits for a node, for seconds as a rule; for longer where none has the labels that were asked for. */
                            unplaced: {
                                processes: number;
                                cameras: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nodes/{node}/processes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List what runs on a node: your processes, and those of your child keys */
        get: {
            parameters: {
                query?: {
                    /** @description How many at the most. */
                    limit?: number;
                    /** @description From the `Link` header of the page before. */
                    cursor?: string;
                };
                header?: never;
                path: {
                    /** @description Its AERIE_NODE_NAME. */
                    node: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** Format: uuid */
                            process_uuid: string;
                            username: string;
                            source_alias: string | null;
                            /** @enum {string} */
                            source_type: "file" | "stream";
                            /**
                             * @description As its node wrote it last.
                             * @enum {string}
                             */
                            state: "waiting" | "starting" | "running" | "paused" | "reconnecting" | "stopping" | "stopped" | "finished" | "failed";
                            created_at: string;
                        }[];
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/nodes/{node}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Forget a node that is dead and will not come back */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Its AERIE_NODE_NAME. */
                    node: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            node: string;
                            /** @enum {boolean} */
                            deleted: true;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /** Drain a node, or let it take processes again */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Its AERIE_NODE_NAME. */
                    node: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": {
                        /** @description With true it is given nothing more, and gives away what it has. */
                        draining: boolean;
                    };
                };
            };
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            node: string;
                            /**
                             * @description `draining`: it gives away what it has. `silent`: its lease is over; it is declared dead within seconds, or as soon as another node runs.
                             * @enum {string}
                             */
                            state: "alive" | "draining" | "silent" | "dead";
                            /** @description When it joined last. */
                            started_at: string;
                            version: string;
                            labels: string[];
                            /** @description As it measured it at the last renewal of its lease; null before that. */
                            load: {
                                cores: number;
                                free_cores: number;
                                /** @description How many more streams fit with the default model, each looked at five times a second; null while nobody knows. */
                                room: number | null;
                            } | null;
                            /** @description Those that go on there, of all keys. While it drains: those that are left. */
                            processes: number;
                            /** @description Of these, those of video files, which end where they began. */
                            files: number;
                            /** @description Those that it calls. */
                            cameras: number;
                            /** @description Those that are live there. */
                            streams: number;
                            /** @description Other nodes read its streams by RTSP; where they cannot, it pushes them. False of one that is alone. */
                            reached_by_rtsp: boolean;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What takes how much of the machine, and how many more streams fit
         * @description Of the machine that answers, where a service has several: `GET /nodes` has the room of all. `recordings` are those of the whole service.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description How many more streams fit, or what there is too little of. */
                            summary: string;
                            /** @description What there is too little of now. */
                            limited_by: ("cpu" | "memory" | "disk") | null;
                            cpu: {
                                cores: number;
                                /** @description By whatever runs on this machine. */
                                used_cores: number | null;
                            };
                            memory: {
                                total_bytes: number;
                                available_bytes: number;
                            };
                            disk: {
                                /** @description By all that is kept on this machine: recordings, uploads, processed video, pictures of tracks. */
                                held_bytes: number;
                                /** @description What may be kept; beyond it the oldest goes. */
                                limit_bytes: number;
                            };
                            /** @description Where files are kept beside the disk; null without one. */
                            object_store: {
                                stored_files: number;
                                /** @description What is there, whether it is on the disk too or not. */
                                stored_bytes: number;
                                waiting_files: number;
                                /** @description What is on the disk until it is put there. */
                                waiting_bytes: number;
                                /** @description Why it is not put there; null while that goes well. */
                                last_error: {
                                    at: string;
                                    message: string;
                                } | null;
                            } | null;
                            /** @description By model. */
                            room: {
                                model: string;
                                /** @description How many more fit, so that each is looked at five times a second. */
                                streams: number;
                            }[];
                            /** @description What the service itself takes, and its workers that serve everybody. */
                            parts: {
                                name: string;
                                /** @description How many cores it keeps busy; null before that is measured. */
                                used_cores: number | null;
                                memory_bytes: number;
                            }[];
                            /** @description Yours and those of your child keys, on this machine. */
                            processes: {
                                /** Format: uuid */
                                process_uuid: string;
                                username: string;
                                source_alias: string | null;
                                model: string;
                                /** @enum {string} */
                                priority: "low" | "normal" | "high";
                                /** @description How many cores it keeps busy; null before that is measured. */
                                used_cores: number | null;
                                memory_bytes: number;
                                /** @description Its processed video that is kept. */
                                held_bytes: number;
                                /** @description Of these, those of its model. */
                                model_cores: number | null;
                                /** @description What decoding would take in addition, were nothing left out that nobody looks at. */
                                spared_cores: number | null;
                                input_fps: number | null;
                                processed_fps: number | null;
                                latency_ms_p95: number | null;
                            }[];
                            /** @description What recording your streams and showing them by HLS takes; the media server is among the parts. */
                            streams: {
                                path: string;
                                username: string;
                                /** @description How many cores it keeps busy; null before that is measured. */
                                used_cores: number | null;
                                memory_bytes: number;
                            }[];
                            /** @description What is kept of your streams, the largest first: on all nodes of the service and in the object store. */
                            recordings: {
                                /** Format: uuid */
                                source_uuid: string;
                                username: string;
                                alias: string;
                                held_bytes: number;
                            }[];
                            /** @description What works for keys that are not yours. */
                            others: {
                                processes: number;
                                /** @description How many cores it keeps busy; null before that is measured. */
                                used_cores: number | null;
                                memory_bytes: number;
                            };
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the console must know */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Default Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            /** @description A template with {z}, {x} and {y}; null for a plain map. */
                            map_tiles_url: string | null;
                            /** @description Whose the tiles are; plain text. */
                            map_tiles_attribution: string | null;
                            /** @description Of the media server, with the scheme `rtsp_scheme`. */
                            rtsp_port: number;
                            /** @description `rtsps` where the service has a certificate, otherwise `rtsp`. */
                            rtsp_scheme: string;
                        };
                    };
                };
                /** @description What went wrong */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description Where this kind of problem is explained. */
            type: string;
            title: string;
            status: number;
            /** @description What is wrong and what to do about it. */
            detail: string;
            /** @description Stable; made for programs. */
            code: string;
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
