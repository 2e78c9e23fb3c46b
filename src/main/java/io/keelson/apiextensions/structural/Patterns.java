package io.keelson.apiextensions.structural;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Regular expressions of schemas, in the syntax of RE2: matching takes time linear in the text, whatever the expression. The
 * latest {@value #MAX_KEPT} stay compiled, shared by all schemas. Thread-safe.
 */
public final class Patterns {
    private static final int MAX_KEPT = 256;

    private static final ReentrantLock LOCK = new ReentrantLock();

    @GuardedBy("LOCK")
    private static final Map<String, Pattern> KEPT = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pattern> eldest) {
            return size() > MAX_KEPT;
        }
    };

    private Patterns() {}

    /** Whether an expression is found anywhere in a text. One that is none matches nothing. */
    static boolean find(String expression, String text) {
        try {
            return compiled(expression).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    /** What is wrong with an expression; null where nothing is. */
    public static @Nullable String fault(String expression) {
        try {
            compiled(expression);
            return null;
        } catch (PatternSyntaxException e) {
            return e.getMessage();
        }
    }

    private static Pattern compiled(String expression) {
        LOCK.lock();
        try {
            Pattern known = KEPT.get(expression);
            if (known != null) {
                return known;
            }
        } finally {
            LOCK.unlock();
        }
        Pattern made = Pattern.compile(expression);
        LOCK.lock();
        try {
            KEPT.put(expression, made);
        } finally {
            LOCK.unlock();
        }
        return made;
    }
}
