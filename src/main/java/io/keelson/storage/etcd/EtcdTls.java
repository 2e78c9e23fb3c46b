package io.keelson.storage.etcd;

import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;

/** TLS to etcd from PEM files. */
final class EtcdTls {
    private static final String RSA_BEGIN = "-----BEGIN RSA PRIVATE KEY-----";
    private static final String RSA_END = "-----END RSA PRIVATE KEY-----";
    /** DER of PKCS#8's version 0 and of the algorithm rsaEncryption without parameters. */
    private static final byte[] RSA_ALGORITHM = HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

    private static final int DER_OCTET_STRING = 0x04;
    private static final int DER_SEQUENCE = 0x30;

    private EtcdTls() {}

    /**
     * @throws IllegalArgumentException that names the file that is no good
     */
    static SslContext context(EtcdOptions options) {
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient();
            Path ca = options.caFile();
            if (ca != null) {
                try (InputStream certificates = Files.newInputStream(ca)) {
                    builder.trustManager(certificates);
                }
            }
            Path cert = options.certFile();
            Path key = options.keyFile();
            if (cert != null && key != null) {
                try (InputStream chain = Files.newInputStream(cert);
                        InputStream pem = new ByteArrayInputStream(pkcs8(Files.readString(key)))) {
                    builder.keyManager(chain, pem);
                }
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "etcd: TLS files (CA " + options.caFile() + ", certificate " + options.certFile() + ", key "
                            + options.keyFile() + ") cannot be used: " + e,
                    e);
        }
    }

    /**
     * A PEM key as PKCS#8, the only form that Netty reads. kubeadm and others write RSA keys in the older PKCS#1, which
     * is the inner part of the same.
     */
    static byte[] pkcs8(String pem) {
        int begin = pem.indexOf(RSA_BEGIN);
        int end = pem.indexOf(RSA_END);
        if (begin < 0 || end < begin) {
            return pem.getBytes(StandardCharsets.US_ASCII);
        }
        byte[] pkcs1 = Base64.getMimeDecoder().decode(pem.substring(begin + RSA_BEGIN.length(), end));
        byte[] key = der(DER_OCTET_STRING, pkcs1);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(RSA_ALGORITHM);
        content.writeBytes(key);
        String text = Base64.getMimeEncoder().encodeToString(der(DER_SEQUENCE, content.toByteArray()));
        return ("-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] der(int tag, byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 6);
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else {
            int bytes = (39 - Integer.numberOfLeadingZeros(content.length)) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(content.length >>> (8 * i));
            }
        }
        out.writeBytes(content);
        return out.toByteArray();
    }
}
