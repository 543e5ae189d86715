// SPDX-License-Identifier: Apache-2.0
package org.thetis.server.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the endpoint of a method and path. A literal part wins over a `{part}`. Immutable. */
final class Router {
    /** An endpoint and the parts of the path that its route names. */
    record Match(Endpoint endpoint, Map<String, String> parts) {}

    private record Route(String method, List<String> segments, Endpoint endpoint) {}

    private final List<Route> routes = new ArrayList<>();

    Router(List<Endpoint> endpoints) {
        for (Endpoint endpoint : endpoints) {
            for (String route : endpoint.routes()) {
                int space = route.indexOf(' ');
                routes.add(new Route(route.substring(0, space), segments(route.substring(space + 1)), endpoint));
            }
        }
    }

    Optional<Match> find(String method, String path) {
        List<String> wanted = segments(path);
        Match best = null;
        int fewestParts = Integer.MAX_VALUE;
        for (Route route : routes) {
            if (!route.method.equals(method)) {
                continue;
            }
            Map<String, String> parts = match(route.segments, wanted);
            if (parts != null && parts.size() < fewestParts) {
                best = new Match(route.endpoint, parts);
                fewestParts = parts.size();
            }
        }
        return Optional.ofNullable(best);
    }

    private static @org.jspecify.annotations.Nullable Map<String, String> match(List<String> route, List<String> path) {
        if (route.size() != path.size()) {
            return null;
        }
        Map<String, String> parts = new HashMap<>();
        for (int i = 0; i < route.size(); i++) {
            String segment = route.get(i);
            if (segment.startsWith("{")) {
                parts.put(segment.substring(1, segment.length() - 1), path.get(i));
            } else if (!segment.equals(path.get(i))) {
                return null;
            }
        }
        return parts;
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/")) {
            if (!segment.isEmpty()) {
                segments.add(segment);
            }
        }
        return segments;
    }
}
